#!/usr/bin/env node
import { run } from './run.ts'

const abortController = new AbortController()
process.once('SIGINT', () => abortController.abort())
process.once('SIGTERM', () => abortController.abort())

process.exitCode = await run({
  args: process.argv.slice(2),
  workingFolder: process.cwd(),
  terminal: {
    writeStdout: (text) => process.stdout.write(text),
    writeStderr: (text) => process.stderr.write(text),
    isStdoutTerminal: process.stdout.isTTY,
    isStderrTerminal: process.stderr.isTTY,
  },
  fetch,
  signal: abortController.signal,
})
