import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { mayInstallSystemPackages } from './bootstrap.mjs'

const placesOfChromium = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

interface Wanted {
  readonly name: string
  /** What cannot be done without it. */
  readonly needs: string
  readonly debianPackage: string
  readonly places: () => readonly (string | undefined)[]
}

/** Where Chromium is; installs it from the system's packages where it is missing and that may be done. */
export const findChromium = (): string =>
  find({ name: 'Chromium', needs: 'The journeys need', debianPackage: 'chromium', places: () => placesOfChromium })

/** The same for Redis. */
export const findRedis = (): string =>
  find({
    name: 'Redis',
    needs: 'The tests of several nodes need',
    debianPackage: 'redis-server',
    places: () => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server')),
  })

function find({ name, needs, debianPackage, places }: Wanted): string {
  const present = () => places().find((place) => place !== undefined && existsSync(place))
  const remedy = `apt-get update && apt-get install --yes ${debianPackage}`
  const found = present()
  if (found) return found
  if (mayInstallSystemPackages()) {
    console.log(`Installing ${name} from the system’s packages …`)
    spawnSync('sh', ['-c', `(${remedy}) >/dev/null`], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  const installed = present()
  if (!installed) throw new Error(`${needs} ${name}. This installs it: ${remedy}`)
  return installed
}
