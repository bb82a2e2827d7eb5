import { parseArgs } from 'node:util'
import { LicenceType } from '@sallyport/contract/accounts'
import { defaultStorageBytes } from '../accounts/licences/licence.rules.ts'
import type { OfferTerms } from '../accounts/licences/licence-offers.ts'

/** The command line is not valid. The message is shown to the operator, and the code is recorded in the audit log. */
export class UsageError extends Error {
  readonly code: string

  constructor(message: string, code = 'INVALID_USAGE') {
    super(message)
    this.code = code
  }
}

type Options = Readonly<Record<string, string | undefined>>

interface CommandLine {
  readonly command: string
  readonly operands: readonly string[]
  readonly options: Options
}

const gigabyte = 1024 ** 3
const optionNames = ['type', 'days', 'storage-gb', 'seats', 'uses', 'mail', 'extend', 'head']
/** Options without a value; one that is set is `true`. */
const flagNames = ['dry-run']

/** Parses the command line into the command, its operands and its options. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries([
        ...optionNames.map((name) => [name, { type: 'string' as const }]),
        ...flagNames.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    })
    const [command = 'help', ...operands] = positionals
    const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
    return { command, operands, options }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Parses a positive integer option. Returns null if the option is missing. */
export function parseNumberOption(options: Options, name: string): number | null {
  const text = options[name]
  if (text === undefined) return null
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1 || number > 1_000_000) {
    throw new UsageError(`--${name} expects a positive integer`)
  }
  return number
}

/** Parses the terms of a licence. */
export function parseOfferTerms(options: Options): OfferTerms {
  const type = LicenceType.safeParse(options['type'])
  if (!type.success) throw new UsageError(`--type expects one of ${LicenceType.options.join(', ')}`)
  const gigabytes = parseNumberOption(options, 'storage-gb')
  return {
    type: type.data,
    storageBytes: gigabytes === null ? defaultStorageBytes(type.data) : gigabytes * gigabyte,
    days: parseNumberOption(options, 'days'),
    seats: parseNumberOption(options, 'seats'),
    uses: parseNumberOption(options, 'uses') ?? 1,
  }
}
