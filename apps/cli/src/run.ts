import { readFileSync } from 'node:fs'
import { parseArguments, UsageError } from './arguments.ts'
import { errorMessage } from './error-message.ts'
import { getShared } from './get.ts'
import { help } from './help.ts'
import { createLineWriter, type Terminal } from './terminal.ts'

export interface RunOptions {
  /** The command line arguments without the program name. */
  readonly args: readonly string[]
  readonly workingFolder: string
  readonly terminal: Terminal
  readonly fetch: typeof globalThis.fetch
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal
}

const exitCodes = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}

/** Runs one command line and returns its exit code. Never rejects. */
export async function run({ args, terminal, ...rest }: RunOptions): Promise<number> {
  const lines = createLineWriter(terminal)
  try {
    const command = parseArguments(args)
    if (command.name !== 'get') {
      terminal.writeStdout(command.name === 'help' ? help : `sallyport ${readVersion()}\n`)
      return exitCodes.done
    }
    const path = await getShared({ ...command, ...rest, terminal })
    if (path === null) return exitCodes.stopped
    // The path is printed unchanged to a pipe, so that a program can open the file.
    if (terminal.isStdoutTerminal) lines.stdout(path)
    else terminal.writeStdout(`${path}\n`)
    return exitCodes.done
  } catch (error) {
    if (rest.signal.aborted) return exitCodes.stopped
    lines.stderr(`sallyport: ${errorMessage(error)}`)
    if (!(error instanceof UsageError)) return exitCodes.failed
    lines.stderr('Try “sallyport --help”.')
    return exitCodes.usage
  }
}
