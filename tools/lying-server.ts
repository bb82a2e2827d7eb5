// `npm run lying-server -- --cases N`: the clients against a server that lies, with so many cases for each flow.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { coveredCalls } from '../packages/client/src/testing/lying-server/covered-calls.ts'
import { notCovered } from '../packages/client/src/testing/lying-server/not-covered.ts'
import { root } from './bootstrap.mjs'

const { values } = parseArgs({ options: { cases: { type: 'string', default: '1000' } } })
const cases = Number(values.cases)
if (!Number.isSafeInteger(cases) || cases < 1) throw new Error('--cases takes a whole number from 1 on')

const folders = ['packages/client/src/testing/lying-server', 'apps/web/src/testing/lying-server']
const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--retry', '0', ...folders], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LYING_SERVER_CASES: String(cases) },
})

const flows = Object.entries(coveredCalls)
console.log(`${flows.length} flows with ${cases} cases each: ${flows.length * cases} cases`)
for (const [flow, calls] of flows) console.log(`  ${flow}: ${calls.join(', ')}`)
console.log(`Covered: ${new Set(flows.flatMap(([, calls]) => calls)).size} calls and messages. Not covered:`)
for (const { reason, calls } of notCovered) console.log(`  ${calls.length} calls: ${reason}`)
process.exitCode = status ?? 1
