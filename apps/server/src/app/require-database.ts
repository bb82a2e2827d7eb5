import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { UsageError } from '../modules/admin/options.ts'
import { databaseFile } from '../platform/db/open.ts'

/** Throws unless there is a database that a command can use, so that it does not create one. */
export function requireDatabase({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>, folder: string): void {
  if (DATABASE_URL !== undefined || existsSync(join(folder, databaseFile))) return
  throw new UsageError(
    `There is no database in ${folder}. Set DATA_DIR or DATABASE_URL as for the server, for example with ` +
      'systemd-run --pty --property=EnvironmentFile=/etc/sallyport.env.',
  )
}
