import { parseArgs } from 'node:util'

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'get'; readonly link: string; readonly output: string | undefined }

/** The command line is not valid; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Parses the command line. Throws a `UsageError` if it is not valid. */
export function parseArguments(args: readonly string[]): Command {
  const { values, positionals } = parseArgv(args)
  const [name, link, ...more] = positionals
  if (values.help || name === 'help') return { name: 'help' }
  if (name === undefined) throw new UsageError('No command given')
  if (name !== 'get') throw new UsageError(`Unknown command: “${name}”`)
  if (link === undefined) throw new UsageError('No share link given')
  if (more.length > 0) throw new UsageError('Only one share link is allowed')
  return { name: 'get', link, output: values.output }
}

function parseArgv(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { output: { type: 'string', short: 'o' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
