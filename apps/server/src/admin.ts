import '../../../tools/require-own-node.ts'
import { runAdminCommand } from './admin-command.ts'
import { isBackupCommand } from './modules/admin/backup/backup-options.ts'

const interruption = new AbortController()

/**
 * Ends a command. One that has plain data in temporary files removes them first; the second signal ends it at once, as
 * the first one does for all others.
 */
function interrupt(cause: string): void {
  if (!isBackupCommand(process.argv[2]) || interruption.signal.aborted) process.exit(1)
  interruption.abort(new Error(`Interrupted: ${cause}`))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt(signal))
// A reader such as `head` may close the pipe early, and the server that reads the progress of a backup may be killed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => interrupt('nobody reads the output'))

process.exitCode = await runAdminCommand({
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) =>
    new Promise((resolve, reject) =>
      process.stdout.write(`${text.trimEnd()}\n`, (error) => (error ? reject(error) : resolve())),
    ),
  printError: (text) => void process.stderr.write(`${text}\n`),
  signal: interruption.signal,
})
