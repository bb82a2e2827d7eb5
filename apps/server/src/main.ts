import '../../../tools/require-own-node.ts'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { reexecWithMemorySettings } from '../../../tools/memory-settings.ts'

/** How long a stop waits for requests in progress while the server continues to serve, and then for cut ones to end. */
const drainMs = 25_000
const cutMs = 2000
/** After this time a stop that hangs is ended. */
const graceMs = 30_000

/** How long the start waits for PostgreSQL and Redis, which may be starting as well. */
const startupWaitMs = 60_000

/** Size of libuv's thread pool. A slow fsync blocks one thread per file; signature checks and reads use the others. */
const threadPoolSize = '16'

/**
 * Keeps V8's young generation at its initial size. It otherwise grows to 48 MB while the server loads and never
 * shrinks; the bulk of the data that passes through the server lives outside the heap.
 */
const heapFlags = '--semi-space-growth-factor=1'

async function main(): Promise<void> {
  reexecWithMemorySettings()
  setFlagsFromString(heapFlags)
  // libuv reads this when its first thread starts.
  process.env['UV_THREADPOOL_SIZE'] ??= threadPoolSize
  // Imported after the flags are set, because loading is what makes the heap grow.
  const [{ readConfig }, { createLogger }, { createServer }] = await Promise.all([
    import('./config.ts'),
    import('./platform/http/logger.ts'),
    import('./server.ts'),
  ])
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const server = await createServer({
    config,
    logger,
    version,
    environment: process.env,
    failpointName: process.env['SALLYPORT_FAILPOINT'],
    startupWaitMs,
  })
  const url = await server.listen()
  logger.info({ url, version }, 'listening')
  if (process.stdout.isTTY) process.stdout.write(`\n  Sallyport is running at ${url}\n\n`)

  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => process.exit(1), graceMs).unref()
      const stop = async () => {
        await server.drain(drainMs)
        await server.close(cutMs)
      }
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'shutdown failed')
          process.exit(1)
        },
      )
    })
  }
}

main().catch((error: unknown) => {
  // The cause of an API error is more useful to an operator than its public message.
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.exit(1)
})
