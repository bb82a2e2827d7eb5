import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installCommandFor, installSystemPackage } from './bootstrap.mjs'

const chromiumPaths = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const headlessPath = '/usr/bin/chromium-headless-shell'

interface SystemPackage {
  readonly name: string
  /** The start of the error message. */
  readonly purpose: string
  readonly debianPackage: string
  readonly paths: () => readonly (string | undefined)[]
}

/** Finds Chromium. Installs the system package if it is missing and installation is allowed. */
export const findChromium = (): string =>
  find({
    name: 'Chromium',
    purpose: 'The end-to-end tests need',
    debianPackage: 'chromium',
    paths: () => chromiumPaths,
  })

/**
 * Finds Chromium without browser windows and cameras, like `findChromium`: the same engine, with which the end-to-end
 * tests take a quarter less time. Where it cannot be installed, the whole browser does.
 */
export function findHeadlessChromium(): string {
  if (process.env['CHROMIUM_PATH']) return findChromium()
  if (!existsSync(headlessPath)) installSystemPackage('chromium-headless-shell', 'Chromium without windows')
  return existsSync(headlessPath) ? headlessPath : findChromium()
}

/** Finds Redis, like `findChromium`. */
export const findRedis = (): string =>
  find({
    name: 'Redis',
    purpose: 'The tests with several nodes need',
    debianPackage: 'redis-server',
    paths: () => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server')),
  })

function find({ name, purpose, debianPackage, paths }: SystemPackage): string {
  const present = () => paths().find((path) => path !== undefined && existsSync(path))
  const found = present()
  if (found) return found
  installSystemPackage(debianPackage, name)
  const installed = present()
  if (!installed) throw new Error(`${purpose} ${name}. Install it with: ${installCommandFor(debianPackage)}`)
  return installed
}
