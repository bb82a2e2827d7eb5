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
  })
  return { code, stdout: stdout.join('\n').trim(), stderr: stderr.join('\n') }
}

/** Runs an operator command in a child process. */
export async function runAdminProcess(settings: Readonly<Record<string, string>>, ...args: string[]) {
  return runProcess(settings, args, null)
}

/** Runs an operator command in a child process, and kills it with SIGKILL once it has printed this text as an error. */
export async function killAdminProcess(settings: Readonly<Record<string, string>>, killAt: string, ...args: string[]) {
  return runProcess(settings, args, killAt)
}

async function runProcess(settings: Readonly<Record<string, string>>, args: readonly string[], killAt: string | null) {
  const child = spawn(process.execPath, [entry, ...args], { env: { PATH: process.env['PATH'], ...settings } })
  const stdoutChunks: string[] = []
  const stderrChunks: string[] = []
  child.stdout.on('data', (piece) => stdoutChunks.push(String(piece)))
  child.stderr.on('data', (piece) => {
    stderrChunks.push(String(piece))
    if (killAt !== null && stderrChunks.join('').includes(killAt)) child.kill('SIGKILL')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout: stdoutChunks.join('').trim(), stderr: stderrChunks.join('') }
}
