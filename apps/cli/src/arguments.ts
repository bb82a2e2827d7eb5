import { parseArgs } from 'node:util'

export type Command =
  | { readonly name: 'help' | 'version' }
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
  if (values.version) return { name: 'version' }
  if (name === undefined) throw new UsageError('No command given')
  if (name !== 'get') throw new UsageError(`Unknown command: “${name}”`)
  if (link === undefined) throw new UsageError('No share link given')
  if (more.length > 0) throw new UsageError('Only one share link is allowed')
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(link.trim()))
    throw new UsageError('The share link must start with https:// or http://')
  return { name: 'get', link, output: values.output }
}

function parseArgv(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(describeParseError(error))
  }
}

/** Node's sentences are about its own API, so only the name of the option is used. */
function describeParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [, option] = /'(-{1,2}[^ ',]*)/.exec(message) ?? []
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (option === undefined) return message
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `Unknown option: “${option}”`
  return option.startsWith('-o') || option === '--output'
    ? `${option} expects a file or a folder`
    : `${option} takes no value`
}
