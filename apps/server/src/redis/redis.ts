import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { refuse } from '../errors.ts'
import { limitAnswerTime } from './answer-time.ts'
import { createFollowing, type Following } from './following.ts'
import { prefix } from './prefix.ts'

interface Place {
  /** `redis://`, `rediss://` or `unix://` and a path. */
  readonly url: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** How often it is looked whether the lines still live. */
  readonly beatMs?: number
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
  /** Says what is still to be said, and closes the lines. */
  close(): Promise<void>
}

const answerMs = 1000

const options = {
  keyPrefix: prefix,
  lazyConnect: true,
  connectTimeout: 2000,
  // Whoever asks while Redis is away is told so at once; nothing that counts is counted later, or twice.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (times) => Math.min(times * 50, 1000),
} satisfies RedisOptions

/** Opens the lines to Redis: one that asks and one that listens. Throws, with what is wrong, when there is none. */
export async function openRedis({ url, log, beatMs = 3000 }: Place): Promise<SharedRedis> {
  const address = url.startsWith('unix://') ? new URL(url).pathname : url
  const commands = new Redis(address, options)
  const listening = new Redis(address, options)
  const lines = [commands, listening]
  for (const line of lines) limitAnswerTime(line, answerMs)
  await connect(lines)
  tellOfOutages(commands, log)
  listening.on('error', () => undefined)
  const following = createFollowing(listening)

  const stopBeats = lines.map((line) => keepBeating(line, beatMs))

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
    async close() {
      for (const stop of stopBeats) stop()
      listening.disconnect()
      await commands.quit().catch(() => undefined)
      commands.disconnect()
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

/** A line that has died without a word looks open; only answers show that it is. One may be late where this process was. */
function keepBeating(line: Redis, everyMs: number): () => void {
  let missed = 0
  line.on('ready', () => {
    missed = 0
  })
  const beat = setInterval(() => {
    if (line.status !== 'ready') return
    line.ping().then(
      () => {
        missed = 0
      },
      () => {
        missed += 1
        // Once: to close takes its time where nobody is there to agree.
        if (missed === 2) line.disconnect(true)
      },
    )
  }, everyMs)
  beat.unref()
  return () => clearInterval(beat)
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
