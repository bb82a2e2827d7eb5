import { existsSync } from 'node:fs'

/** Throws an Error that says what to install where a program of a Debian package is not there. */
export function requirePackage(program: string, name: string): void {
  if (!existsSync(program)) throw new Error(`${program} is missing: apt-get install --no-install-recommends ${name}`)
}
