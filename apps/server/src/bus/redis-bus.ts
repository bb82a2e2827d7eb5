import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedRedis } from '../redis/redis.ts'
import { type Bus, createTopics } from './bus.ts'

const channel = 'bus'
const gapTopic = 'bus.gap'
const betweenTriesMs = 500
/** Nodes find out one after the other that Redis is back; those who listen are told once. */
const settlingMs = 1000

interface Parts {
  readonly redis: Pick<SharedRedis, 'say' | 'follow' | 'isDeaf' | 'onHearingAgain'>
  /** Ends with the server. */
  readonly signal: AbortSignal
}

/**
 * A bus for all nodes that share a Redis. This process hears its own messages without it, and so also while it is away;
 * what others missed meanwhile is not sent again, but they are told that there was something.
 */
export async function createRedisBus({ redis, signal }: Parts): Promise<Bus> {
  const topics = createTopics()
  const node = randomUUID()
  let gapTimer: NodeJS.Timeout | undefined
  let isTelling = false

  function noticeGap(): void {
    gapTimer ??= setTimeout(() => {
      gapTimer = undefined
      topics.deliver(gapTopic, null)
    }, settlingMs).unref()
  }

  /** What could not be said is lost for the others; as soon as they can be reached they have to know. */
  async function tellOfGap(): Promise<void> {
    if (isTelling) return
    isTelling = true
    while (!signal.aborted && !(await say(gapTopic, null))) await wait(betweenTriesMs, undefined, { ref: false })
    isTelling = false
  }

  const say = (topic: string, message: unknown): Promise<boolean> =>
    redis.say(channel, `${node}\n${topic}\n${JSON.stringify(message)}`).then(
      () => true,
      () => false,
    )

  function hear(content: Buffer): void {
    const text = content.toString('utf8')
    const [from = '', topic = ''] = text.split('\n', 2)
    if (from === node) return
    if (topic === gapTopic) noticeGap()
    if (!topics.hasListeners(topic) || topic === gapTopic) return
    const message = parse(text.slice(from.length + topic.length + 2))
    if (message !== undefined) topics.deliver(topic, message)
  }

  redis.onHearingAgain(noticeGap)
  await redis.follow(channel, hear)

  return {
    publish(topic, message) {
      topics.deliver(topic, message)
      void say(topic, message).then((isSaid) => (isSaid ? undefined : tellOfGap()))
    },
    subscribe: topics.subscribe,
    onGap: (listener) => topics.subscribe(gapTopic, listener),
    isWhole: () => !redis.isDeaf() && gapTimer === undefined,
  }
}

/** Undefined for what no node of ours has said. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
