#!/usr/bin/env node
import { run } from './run.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

process.exitCode = await run({
  words: process.argv.slice(2),
  workingFolder: process.cwd(),
  terminal: {
    out: (text) => process.stdout.write(text),
    side: (text) => process.stderr.write(text),
    isOutTerminal: process.stdout.isTTY,
    isWatched: process.stderr.isTTY,
  },
  fetch,
  signal: stop.signal,
})
