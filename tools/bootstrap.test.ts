import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

/** What a command with these options answers to the question whether it may install Debian's packages. */
function mayInstall(...options: readonly string[]): string {
  const script = `import(${JSON.stringify(join(root, 'tools', 'bootstrap.mjs'))}).then((m) => console.log(m.mayInstallSystemPackages()))`
  return spawnSync(process.execPath, ['--eval', script, '--', ...options], { encoding: 'utf8' }).stdout.trim()
}

test('--no-system-packages keeps the commands from installing system packages as root', () => {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

  expect(mayInstall()).toBe(String(canInstall))
  expect(mayInstall('--no-system-packages')).toBe('false')
})
