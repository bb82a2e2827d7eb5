import { readArguments, UsageError } from './arguments.ts'
import { errorText } from './error-text.ts'
import { getShared } from './get.ts'
import { help } from './help.ts'
import { createLines, type Terminal } from './terminal.ts'

export interface Surroundings {
  /** The command line without the program's own name. */
  readonly words: readonly string[]
  readonly workingFolder: string
  readonly terminal: Terminal
  readonly fetch: typeof globalThis.fetch
  /** Aborted when the person wants it to stop. */
  readonly signal: AbortSignal
}

const exitCodes = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

/** Runs one command line to its end and gives its exit code. Never rejects. */
export async function run({ words, terminal, ...rest }: Surroundings): Promise<number> {
  const lines = createLines(terminal)
  try {
    const command = readArguments(words)
    if (command.name === 'help') {
      terminal.out(help)
      return exitCodes.done
    }
    const path = await getShared({ ...command, ...rest, terminal })
    if (path === null) return exitCodes.stopped
    // A program that reads the path has to find the file under it.
    if (terminal.isOutTerminal) lines.out(path)
    else terminal.out(`${path}\n`)
    return exitCodes.done
  } catch (error) {
    if (rest.signal.aborted) return exitCodes.stopped
    lines.side(`sallyport: ${errorText(error)}`)
    if (!(error instanceof UsageError)) return exitCodes.failed
    lines.side('Try “sallyport --help”.')
    return exitCodes.usage
  }
}
