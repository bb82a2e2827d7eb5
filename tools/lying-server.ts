// `npm run lying-server -- --cases N`: tests the clients against a malicious server, with N cases per flow.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from './bootstrap.mjs'

const { values } = parseArgs({ options: { cases: { type: 'string', default: '1000' } } })
const cases = Number(values.cases)
if (!Number.isSafeInteger(cases) || cases < 1) throw new Error('--cases expects a positive integer')

const folders = ['packages/lying-server', 'apps/web/src/testing/lying-server']
const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--retry', '0', ...folders], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LYING_SERVER_CASES: String(cases) },
})
process.exitCode = status ?? 1
