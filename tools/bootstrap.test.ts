import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './bootstrap.mjs'

/** Calls mayInstallSystemPackages in a child process with these options. */
function callMayInstall(...options: readonly string[]): string {
  const script = `import(${JSON.stringify(join(root, 'tools', 'bootstrap.mjs'))}).then((m) => console.log(m.mayInstallSystemPackages()))`
  return spawnSync(process.execPath, ['--eval', script, '--', ...options], { encoding: 'utf8' }).stdout.trim()
}

test('mayInstallSystemPackages: --no-system-packages returns false for root', () => {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

  expect(callMayInstall()).toBe(String(canInstall))
  expect(callMayInstall('--no-system-packages')).toBe('false')
})

/** Installs in a folder where the project's own Node does not start, and returns whether apt-get was called. */
function callsAptGet(...options: readonly string[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bootstrap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const asked = join(folder, 'asked')
  const command = (path: string, script: string) => {
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  mkdirSync(join(folder, 'commands'))
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true })
  mkdirSync(join(folder, 'tools'))
  cpSync(join(root, 'tools', 'bootstrap.mjs'), join(folder, 'tools', 'bootstrap.mjs'))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  command(join(folder, 'commands', 'npm'), 'exit 0')
  command(join(folder, 'commands', 'apt-get'), `echo "$@" >> ${asked}`)
  command(join(folder, 'node_modules', '.bin', 'node'), 'exit 127')
  const script = `import(${JSON.stringify(join(folder, 'tools', 'bootstrap.mjs'))}).then((m) => m.installOnce())`
  const env = { ...process.env, PATH: `${join(folder, 'commands')}:/usr/bin:/bin` }
  spawnSync(process.execPath, ['--eval', script, '--', ...options], { cwd: folder, env })
  return existsSync(asked)
}

test('installOnce: with --no-system-packages apt-get is not called, even if Node does not start', () => {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

  expect(callsAptGet()).toBe(canInstall)
  expect(callsAptGet('--no-system-packages')).toBe(false)
})
