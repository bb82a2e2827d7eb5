import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const remedy = 'apt-get update && apt-get install --yes chromium'

const present = (): string | undefined => places.find((place) => place !== undefined && existsSync(place))

/** Where Chromium is; installs it from the system's packages where it is missing and that may be done. */
export function findChromium(): string {
  const found = present()
  if (found) return found
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) {
    console.log('Installing Chromium from the system’s packages …')
    spawnSync('sh', ['-c', `${remedy} >/dev/null`], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  const installed = present()
  if (!installed) throw new Error(`The journeys need Chromium. This installs it: ${remedy}`)
  return installed
}
