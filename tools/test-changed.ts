// `npm run test:changed [-- <commit>]`: the short tests of what has changed since a commit, by default since the last one.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { selectTests } from './select-tests.ts'

const commit = process.argv[2] ?? 'HEAD'
const env = {
  ...process.env,
  SHORT_RUN: '1',
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`,
}

function listFiles(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.trim())
  return stdout.split('\n').filter((line) => line !== '')
}

/** Runs a tool of the project; a failure is this command's failure, but the rest still runs. */
function run(command: string, ...args: string[]): void {
  console.log(`\n── ${command} ${args.join(' ')}`)
  if (spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status !== 0) process.exitCode = 1
}

const changed = [
  ...listFiles('diff', '--name-only', commit),
  ...listFiles('ls-files', '--others', '--exclude-standard'),
]
const journeys = globSync('e2e/tests/*/*.spec.ts', { cwd: root }).filter((name) => !name.includes('.long.'))
const { unitFolders, journeyFiles, isShared } = selectTests(changed, journeys)

if (changed.length === 0) console.log(`Nothing has changed since ${commit}. Name an earlier commit to compare with.`)
else {
  run('node', 'node_modules/typescript-native/bin/tsc', '-b')
  run('vitest', 'run', '--changed', commit, '--passWithNoTests', ...unitFolders)
  if (journeyFiles.length > 0) {
    await buildPageOnce()
    run('playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter', 'list', ...journeyFiles)
  }
  if (isShared) console.log('\nCode that several features share has changed: npm test runs what else it touches.')
}
