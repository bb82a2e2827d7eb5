import '../../../tools/require-own-node.ts'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { startOverWithMemorySettings } from '../../../tools/memory-settings.ts'

const graceMs = 30_000

/** A disk that is slow to sync occupies a thread for each file; signatures are checked, and bytes read, on the others. */
const threads = '16'

/**
 * Keeps the young generation as small as it begins. Otherwise it grows to 48 MB while the server loads, and stays there;
 * what passes through this server in quantity lies outside of the heap.
 */
const heapFlags = '--semi-space-growth-factor=1'

async function main(): Promise<void> {
  startOverWithMemorySettings()
  setFlagsFromString(heapFlags)
  // Taken when the first of them starts.
  process.env['UV_THREADPOOL_SIZE'] ??= threads
  // Loaded only now, since loading is what makes the heap grow.
  const [{ readConfig }, { createLogger }, { createServer }] = await Promise.all([
    import('./config.ts'),
    import('./http/logger.ts'),
    import('./server.ts'),
  ])
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const server = await createServer({ config, logger, version, failpoint: process.env['SALLYPORT_FAILPOINT'] })
  const url = await server.listen()
  logger.info({ url, version }, 'listening')
  if (process.stdout.isTTY) process.stdout.write(`\n  Sallyport is open at ${url}\n\n`)

  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => process.exit(1), graceMs).unref()
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'could not stop in good order')
          process.exit(1)
        },
      )
    })
  }
}

main().catch((error: unknown) => {
  // What stands behind a refusal says more to whoever starts the server than the refusal does.
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.exit(1)
})
