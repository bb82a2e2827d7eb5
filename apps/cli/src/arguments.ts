import { parseArgs } from 'node:util'

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'get'; readonly link: string; readonly output: string | undefined }

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the words after the command ask for. Throws a `UsageError` for words that mean nothing. */
export function readArguments(words: readonly string[]): Command {
  const { values, positionals } = parseWords(words)
  const [name, link, ...more] = positionals
  if (values.help || name === 'help') return { name: 'help' }
  if (name === undefined) throw new UsageError('No command given')
  if (name !== 'get') throw new UsageError(`There is no command “${name}”`)
  if (link === undefined) throw new UsageError('No share link given')
  if (more.length > 0) throw new UsageError('One share link at a time')
  return { name: 'get', link, output: values.output }
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { output: { type: 'string', short: 'o' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
