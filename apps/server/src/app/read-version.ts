import { readFileSync } from 'node:fs'

/** The version of this server. */
export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
