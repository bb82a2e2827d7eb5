import { ignore } from '@sallyport/contract/ignore'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { apiError } from '../../errors.ts'
import { setCommandTimeout } from './command-timeout.ts'
import { prefix } from './prefix.ts'
import { createRedisSubscriber, type RedisSubscriber } from './subscriber.ts'

interface OpenRedisOptions {
  /** `redis://`, `rediss://` or `unix://` and a path. */
  readonly url: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** How often the connections are pinged. */
  readonly pingEveryMs?: number
}

/** The Redis that the nodes of an instance share: fast, and its contents may be lost. */
export interface SharedRedis extends RedisSubscriber {
  /**
   * Runs commands; keys get their prefix automatically. Throws UNAVAILABLE within a second while Redis is down; the
   * command may have been executed nevertheless.
   */
  run<Answer>(command: (commands: Redis) => Promise<Answer>): Promise<Answer>
  /** Publishes to the current subscribers of a channel; throws UNAVAILABLE while Redis is down. */
  publish(channel: string, content: string | Buffer): Promise<void>
  /** Throws while Redis is not usable. */
  probe(): Promise<void>
  /** Sends the pending commands and closes the connections. */
  close(): Promise<void>
}

const commandTimeoutMs = 1000

const options = {
  keyPrefix: prefix,
  lazyConnect: true,
  connectTimeout: 2000,
  // While Redis is down commands fail at once; nothing is counted later, or twice.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (times) => Math.min(times * 50, 1000),
} satisfies RedisOptions

/**
 * Opens two connections to Redis, one for commands and one for subscriptions. Throws with the reason when that fails.
 */
export async function openRedis({ url, log, pingEveryMs = 3000 }: OpenRedisOptions): Promise<SharedRedis> {
  const address = url.startsWith('unix://') ? new URL(url).pathname : url
  const commands = new Redis(address, options)
  const subscriberConnection = new Redis(address, options)
  const connections = [commands, subscriberConnection]
  for (const connection of connections) setCommandTimeout(connection, commandTimeoutMs)
  await connect(connections)
  logOutages(commands, log)
  subscriberConnection.on('error', () => undefined)
  const subscriber = createRedisSubscriber(subscriberConnection)

  const stopPings = connections.map((connection) => startPings(connection, pingEveryMs))

  return {
    ...subscriber,
    run: (command) => command(commands).catch(throwUnavailable),
    async publish(channel, content) {
      await commands.publish(prefix + channel, content).catch(throwUnavailable)
    },
    async probe() {
      await commands.ping().catch(throwUnavailable)
      if (subscriber.isDisconnected())
        throw apiError('UNAVAILABLE', { cause: new Error('The subscriber connection is down') })
    },
    async close() {
      for (const stop of stopPings) stop()
      subscriberConnection.disconnect()
      await commands.quit().catch((error: unknown) => ignore(error, 'the connection is closed next'))
      commands.disconnect()
    },
  }
}

async function connect(connections: readonly Redis[]): Promise<void> {
  for (const connection of connections) {
    let firstError: Error | undefined
    const remember = (error: Error): void => {
      firstError ??= error
    }
    connection.on('error', remember)
    await connection
      .connect()
      .then(() => connection.ping())
      .catch(remember)
    connection.off('error', remember)
    if (!firstError) continue
    for (const any of connections) any.disconnect()
    throw new Error(`Redis (REDIS_URL) cannot be used: ${firstError.message}`)
  }
}

/**
 * A dead connection looks open; only replies to pings show that it is alive. One may be late because this process was
 * suspended.
 */
function startPings(connection: Redis, everyMs: number): () => void {
  let missed = 0
  connection.on('ready', () => {
    missed = 0
  })
  const timer = setInterval(() => {
    if (connection.status !== 'ready') return
    connection.ping().then(
      () => {
        missed = 0
      },
      () => {
        missed += 1
        // Disconnects once: closing takes time when the other side does not answer.
        if (missed === 2) connection.disconnect(true)
      },
    )
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function logOutages(connection: Redis, log: OpenRedisOptions['log']): void {
  let isUnavailable = false
  connection.on('error', () => undefined)
  connection.on('close', () => {
    if (!isUnavailable && connection.status !== 'end') log.warn('Redis is unavailable')
    isUnavailable = true
  })
  connection.on('ready', () => {
    if (isUnavailable) log.info('Redis is available again')
    isUnavailable = false
  })
}

/** Keeps only the message of a library error: the error itself holds the command with its arguments. */
function throwUnavailable(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  throw apiError('UNAVAILABLE', { cause: new Error(`Redis: ${message}`) })
}
