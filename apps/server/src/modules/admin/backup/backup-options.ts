import { parseArgs } from 'node:util'
import { UsageError } from '../options.ts'
import { requireRecipients } from './age.ts'

export interface BackupOptions {
  readonly command: string
  /** The folder of all runs, or of one run. */
  readonly folder: string
  /** Public keys of age; null stores everything in plain. */
  readonly recipients: readonly string[] | null
  readonly copiesBytes: boolean
  readonly postgresFolder: string | null
  readonly into: string | null
  readonly identityFile: string | null
  readonly readsAll: boolean
  readonly databaseName: string | null
  /** A server has begun this backup: it reads the progress, and records it in the audit log itself. */
  readonly isFromServer: boolean
}

const options = {
  to: { type: 'string', multiple: true },
  plain: { type: 'boolean' },
  'no-bytes': { type: 'boolean' },
  'pg-bin': { type: 'string' },
  into: { type: 'string' },
  identity: { type: 'string' },
  all: { type: 'boolean' },
  database: { type: 'string' },
  'from-server': { type: 'boolean' },
} as const

type OptionName = keyof typeof options

const optionsOf: Readonly<Record<string, readonly OptionName[]>> = {
  backup: ['to', 'plain', 'no-bytes', 'pg-bin', 'from-server'],
  restore: ['into', 'identity', 'pg-bin'],
  drill: ['identity', 'all', 'database', 'pg-bin'],
}

/** Whether a command makes or uses backups. */
export const isBackupCommand = (name: string | undefined): boolean =>
  name !== undefined && Object.hasOwn(optionsOf, name)

/** Parses the command line of `backup`, `restore` or `drill`. */
export function parseBackupOptions(args: readonly string[]): BackupOptions {
  const { positionals, values } = parse(args)
  const [command = '', folder, ...more] = positionals
  const isKnown = (name: string): boolean => optionsOf[command]?.includes(name as OptionName) ?? false
  const unknown = Object.keys(values).find((name) => !isKnown(name))
  if (unknown !== undefined) throw new UsageError(`${command} has no option --${unknown}`)
  if (folder === undefined || more.length > 0)
    throw new UsageError(`${command} expects one ${command === 'backup' ? 'FOLDER' : 'RUN'}`)
  if (command === 'restore' && values.into === undefined) throw new UsageError('restore expects --into DATA_DIR')
  return {
    command,
    folder,
    recipients: command === 'backup' ? parseRecipients(values.to, values.plain) : null,
    copiesBytes: values['no-bytes'] !== true,
    postgresFolder: values['pg-bin'] ?? null,
    into: values.into ?? null,
    identityFile: values.identity ?? null,
    readsAll: values.all === true,
    databaseName: values.database ?? null,
    isFromServer: values['from-server'] === true,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function parseRecipients(to: readonly string[] | undefined, plain: boolean | undefined): readonly string[] | null {
  if (to !== undefined && plain === true) throw new UsageError('--to and --plain exclude each other')
  if (plain === true) return null
  if (to === undefined)
    throw new UsageError(
      'backup expects --to with a public key of age, so that the copies of the database and the secrets are sealed, or --plain',
    )
  requireRecipients(to)
  return to
}
