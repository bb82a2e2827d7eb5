import { parseArgs } from 'node:util'
import { LicenceType } from '@sallyport/contract/accounts'
import { usualStorageBytes } from '../licences/licence.rules.ts'
import type { OfferTerms } from '../licences/licence-offers.ts'

/** What was typed makes no sense; the words are for the person at the keyboard. */
export class UsageError extends Error {}

type Options = Readonly<Record<string, string | undefined>>

interface Line {
  readonly command: string
  readonly operands: readonly string[]
  readonly options: Options
}

const gigabyte = 1024 ** 3
const optionNames = ['type', 'days', 'storage-gb', 'seats', 'uses', 'mail', 'extend']

/** The command, what it is about, and its options. */
export function readLine(args: readonly string[]): Line {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }])),
    })
    const [command = 'help', ...operands] = positionals
    return { command, operands, options: values as Options }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** A whole number above zero, or null when the option was not given. */
export function readNumber(options: Options, name: string): number | null {
  const text = options[name]
  if (text === undefined) return null
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1 || number > 1_000_000) {
    throw new UsageError(`--${name} takes a whole number above zero`)
  }
  return number
}

/** What is offered or given. */
export function readTerms(options: Options): OfferTerms {
  const type = LicenceType.safeParse(options['type'])
  if (!type.success) throw new UsageError(`--type takes ${LicenceType.options.join(', ')}`)
  const gigabytes = readNumber(options, 'storage-gb')
  return {
    type: type.data,
    storageBytes: gigabytes === null ? usualStorageBytes(type.data) : gigabytes * gigabyte,
    days: readNumber(options, 'days'),
    seats: readNumber(options, 'seats'),
    uses: readNumber(options, 'uses') ?? 1,
  }
}
