import '../../../tools/require-own-node.ts'
import { runAdminCommand } from './admin-command.ts'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit(1))

process.exitCode = await runAdminCommand({
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) =>
    new Promise((resolve, reject) =>
      process.stdout.write(`${text.trimEnd()}\n`, (error) => (error ? reject(error) : resolve())),
    ),
  printError: (text) => void process.stderr.write(`${text}\n`),
})
