import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './bootstrap.mjs'
import { runJourneys } from './run-journeys.ts'
import { runUnitTests } from './run-unit-tests.ts'

const results = join(root, 'test-results')

/** Creates a folder with these files, in which packages of the project can be imported. */
export function createFolder(files: Readonly<Record<string, string>>): string {
  mkdirSync(results, { recursive: true })
  const folder = mkdtempSync(join(results, 'outcome-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

function run(folder: string, command: string, args: readonly string[], extra: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...extra, FORCE_COLOR: '0' }
  return spawnSync(join(root, 'node_modules', '.bin', command), args, { cwd: folder, env }).status === 0
}

/** A test that fails the first time and passes later, by a file that it leaves in its folder. */
export const redOnce = (title: string): string => `
  test(${JSON.stringify(title)}, () => {
    const seen = join(import.meta.dirname, ${JSON.stringify(`seen ${title}`)})
    const isFirst = !existsSync(seen)
    writeFileSync(seen, '')
    expect(isFirst ? 'early' : 'ready').toBe('ready')
  })
`

export const imports = (runner: string): string => `
  import { existsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { expect, test } from '${runner}'
`

export const runners = {
  'unit tests': {
    package: 'vitest',
    file: 'planted.test.ts',
    runIn: (folder: string) =>
      runUnitTests({
        run: (args, environment) => run(folder, 'vitest', args, environment),
        root: folder,
        reports: folder,
        args: ['--root', folder],
      }),
  },
  'end-to-end tests': {
    package: '@playwright/test',
    file: 'planted.spec.ts',
    runIn: (folder: string) =>
      runJourneys({
        run: (args, environment) => run(folder, 'playwright', args, environment),
        root: folder,
        reports: folder,
      }),
  },
}

export const configs = {
  'vitest.config.ts': 'export default {}',
  'playwright.config.ts': `export default {
    testMatch: '*.spec.ts', outputDir: 'made', reporter: [['list'], ['json']],
  }`,
}

/** Creates a folder with these planted tests for a runner. */
export const plant = ({ file, package: name }: (typeof runners)[keyof typeof runners], tests: string): string =>
  createFolder({ ...configs, [file]: imports(name) + tests })
