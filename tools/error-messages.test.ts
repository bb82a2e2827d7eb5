import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

/** Files that read the message of an error, and why. */
const allowed: Readonly<Record<string, string>> = {
  'apps/web/src/app/layout/crash-screen.tsx': 'developer details, redacted',
  'apps/web/src/app/layout/route-error-screen.tsx': 'developer details, redacted',
}

const readsMessage = /\b(error|reason|cause|failure)\??\.message\b/

test('nothing shows or compares the message of an error: it carries a code, and strings/ has the sentence', () => {
  const { stdout } = spawnSync('git', ['ls-files', 'apps/web/src', 'packages'], { cwd: root, encoding: 'utf8' })
  const sources = stdout.split('\n').filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
  const found = sources.filter((path) => readsMessage.test(readFileSync(join(root, path), 'utf8')))

  expect(sources.length).toBeGreaterThan(500)
  expect(found.filter((path) => !Object.hasOwn(allowed, path))).toEqual([])
})
