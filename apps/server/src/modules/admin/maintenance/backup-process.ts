import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { BackupFailure } from '@sallyport/contract/admin-backup'
import { parseProcessMessage } from '../backup/backup-messages.ts'
import type { BackupProgress } from '../backup/make-backup.ts'

export interface BackupProcessInput {
  /** The file that runs operator commands. */
  readonly entry: string
  readonly args: readonly string[]
  /** All that the process inherits. */
  readonly environment: Readonly<Record<string, string>>
  readonly onProgress: (progress: BackupProgress) => void
  /** Aborted to stop the process. */
  readonly signal: AbortSignal
}

export interface BackupProcessResult {
  readonly failure: BackupFailure | null
  /** The end of what it has printed as errors, for the log. */
  readonly output: string
}

const killAfterMs = 2000
const maxOutput = 4000

/** Runs a backup in a process of its own, because a copy of the embedded database blocks the one that makes it. */
export async function runBackupProcess(input: BackupProcessInput): Promise<BackupProcessResult> {
  const { entry, args, environment, onProgress, signal } = input
  if (signal.aborted) return { failure: 'failed', output: '' }
  const child: ChildProcess = spawn(process.execPath, [entry, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).once('close', (exitCode) => resolve(exitCode)),
  )
  let failure: BackupFailure | null = null
  let output = ''
  // A process that was not spawned for want of file descriptors has no streams.
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parseProcessMessage(line)
      if (message === null) return
      if ('progress' in message) onProgress(message.progress)
      else failure = message.failure
    })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-maxOutput)
  })
  let timer: NodeJS.Timeout | undefined
  function stop(): void {
    child.kill('SIGTERM')
    timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const code = await closed
    return { failure: code === 0 ? null : (failure ?? 'failed'), output: output.trim() }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
