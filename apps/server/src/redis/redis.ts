import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { refuse } from '../errors.ts'
import { createFollowing, type Following } from './following.ts'
import { prefix } from './prefix.ts'

interface Place {
  /** `redis://`, `rediss://` or `unix://` and a path. */
  readonly url: string
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** What the nodes of an instance share besides the database: quick, and allowed to be lost. */
export interface SharedRedis extends Following {
  /**
   * Asks Redis something; keys get their prefix by themselves. Refuses with UNAVAILABLE, within a second, while Redis is
   * away; the question may have been carried out nevertheless.
   */
  ask<Answer>(question: (commands: Redis) => Promise<Answer>): Promise<Answer>
  /** Says something on a channel to whoever follows it at this moment; the same refusal. */
  say(channel: string, content: string | Buffer): Promise<void>
  /** Throws while Redis takes no work. */
  probe(): Promise<void>
  close(): void
}

const answerMs = 1000
const beatMs = 3000

const options = {
  keyPrefix: prefix,
  lazyConnect: true,
  connectTimeout: 2000,
  commandTimeout: answerMs,
  // Whoever asks while Redis is away is told so at once; nothing that counts is counted later, or twice.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (times) => Math.min(times * 50, 1000),
} satisfies RedisOptions

/** Opens the lines to Redis: one that asks and one that listens. Throws, with what is wrong, when there is none. */
export async function openRedis({ url, log }: Place): Promise<SharedRedis> {
  const address = url.startsWith('unix://') ? new URL(url).pathname : url
  const commands = new Redis(address, options)
  const listening = new Redis(address, options)
  const lines = [commands, listening]
  await connect(lines)
  tellOfOutages(commands, log)
  listening.on('error', () => undefined)
  const following = createFollowing(listening)

  const beat = setInterval(() => {
    for (const line of lines) {
      // A line that has died without a word looks open; only an answer shows that it is.
      if (line.status === 'ready') line.ping().catch(() => line.disconnect(true))
    }
  }, beatMs)
  beat.unref()

  return {
    ...following,
    ask: (question) => question(commands).catch(throwAsOutage),
    async say(channel, content) {
      await commands.publish(prefix + channel, content).catch(throwAsOutage)
    },
    async probe() {
      await commands.ping().catch(throwAsOutage)
      if (following.isDeaf()) throw refuse('UNAVAILABLE', { cause: new Error('Redis is not heard') })
    },
    close() {
      clearInterval(beat)
      for (const line of lines) line.disconnect()
    },
  }
}

async function connect(lines: readonly Redis[]): Promise<void> {
  for (const line of lines) {
    let wrong: Error | undefined
    const remember = (error: Error): void => {
      wrong ??= error
    }
    line.on('error', remember)
    await line
      .connect()
      .then(() => line.ping())
      .catch(remember)
    line.off('error', remember)
    if (!wrong) continue
    for (const any of lines) any.disconnect()
    throw new Error(`Redis (REDIS_URL) cannot be used: ${wrong.message}`)
  }
}

function tellOfOutages(line: Redis, log: Place['log']): void {
  let isAway = false
  line.on('error', () => undefined)
  line.on('close', () => {
    if (!isAway && line.status !== 'end') log.warn('Redis is away')
    isAway = true
  })
  line.on('ready', () => {
    if (isAway) log.info('Redis is back')
    isAway = false
  })
}

/** Of an error of the library only its words are kept: with them come commands, and with these what they carried. */
function throwAsOutage(error: unknown): never {
  const words = error instanceof Error ? error.message : String(error)
  throw refuse('UNAVAILABLE', { cause: new Error(`Redis: ${words}`) })
}
