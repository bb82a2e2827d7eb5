import { existsSync } from 'node:fs'

/** Throws an error that names the Debian package to install if a program is missing. */
export function requirePackage(program: string, name: string): void {
  if (!existsSync(program)) throw new Error(`${program} is missing: apt-get install --no-install-recommends ${name}`)
}
