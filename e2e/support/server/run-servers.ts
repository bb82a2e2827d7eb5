// A process that runs servers one after the other, as `createServerRunner` asks it to. Each is the whole server; only the
// handling of signals in `main.ts` is missing. Its argument is the folder of the checkout.
import { join } from 'node:path'

const sources = join(process.argv[2] ?? '', 'apps/server/src')
const [{ readConfig }, { createLogger }, { createServer }] = await Promise.all([
  import(join(sources, 'config.ts')),
  import(join(sources, 'platform/http/logger.ts')),
  import(join(sources, 'server.ts')),
])

interface Message {
  /** The environment of the next server. */
  readonly start?: Readonly<Record<string, string>>
  readonly stop?: boolean
}

let server: { listen(): Promise<string>; close(maxMs?: number): Promise<void> } | undefined

async function handle({ start, stop }: Message): Promise<object | undefined> {
  if (start) {
    const config = readConfig(start)
    const logger = createLogger(config.LOG_LEVEL)
    server = await createServer({ config, logger, version: '0.0.0', startupWaitMs: 10_000 })
    return { url: await server?.listen() }
  }
  if (!stop) return undefined
  // Pages may still be open.
  await server?.close(0)
  return {}
}

process.on('message', (message: Message) => {
  handle(message).then(
    (answer) => answer && process.send?.(answer),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  )
})
// The preloaded clock lets a process end that only waits for messages.
process.channel?.ref()
process.on('disconnect', () => process.exit())
