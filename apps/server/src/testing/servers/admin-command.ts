import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runAdminCommand } from '../../admin-command.ts'
import type { Stage } from '../engines/databases.ts'

const entry = fileURLToPath(new URL('../../admin.ts', import.meta.url))

/** The settings of a server over the database and the folder of a test. */
export const adminSettings = ({ folder, databaseUrl }: Stage): Record<string, string> => ({
  DATA_DIR: folder,
  PUBLIC_URL: 'https://files.example.org',
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

/** Runs an operator command in this process, which saves the start of another one. */
export async function runAdmin(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const stdout: string[] = []
  const stderr: string[] = []
  const code = await runAdminCommand({
    args,
    environment: settings,
    print: async (text) => void stdout.push(text.trimEnd()),
    printError: (text) => stderr.push(text),
    signal: new AbortController().signal,
  })
  return { code, stdout: stdout.join('\n').trim(), stderr: stderr.join('\n') }
}

/** Runs an operator command in a child process. */
export async function runAdminProcess(settings: Readonly<Record<string, string>>, ...args: string[]) {
  return runProcess(settings, args, null)
}

/** A signal, and the text after which a process receives it. */
export interface SentSignal {
  readonly signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'
  /** What the process has printed as errors by then. */
  readonly after: string
}

/** Runs an operator command in a child process, and sends it a signal once it has printed a text. */
export async function signalAdminProcess(
  settings: Readonly<Record<string, string>>,
  sent: SentSignal,
  ...args: string[]
) {
  return runProcess(settings, args, sent)
}

async function runProcess(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  sent: SentSignal | null,
) {
  const child = spawn(process.execPath, [entry, ...args], { env: { PATH: process.env['PATH'], ...settings } })
  const stdoutChunks: string[] = []
  const stderrChunks: string[] = []
  let isSent = false
  child.stdout.on('data', (piece) => stdoutChunks.push(String(piece)))
  child.stderr.on('data', (piece) => {
    stderrChunks.push(String(piece))
    if (sent === null || isSent || !stderrChunks.join('').includes(sent.after)) return
    isSent = true
    child.kill(sent.signal)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout: stdoutChunks.join('').trim(), stderr: stderrChunks.join('') }
}
