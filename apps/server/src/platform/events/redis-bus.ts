import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedRedis } from '../redis/redis.ts'
import { type Bus, createTopics } from './bus.ts'

const channel = 'bus'
const gapTopic = 'bus.gap'
const retryDelayMs = 500
/** Nodes reconnect one after the other; the gap listeners are called once. */
const gapDelayMs = 1000

interface RedisBusDeps {
  readonly redis: Pick<SharedRedis, 'publish' | 'subscribe' | 'isDisconnected' | 'onResubscribed'>
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/**
 * A bus for all nodes that share a Redis. This process delivers its own messages without Redis, so also while Redis is
 * down; messages that others missed meanwhile are not sent again, but their gap listeners are called.
 */
export async function createRedisBus({ redis, signal }: RedisBusDeps): Promise<Bus> {
  const topics = createTopics()
  const node = randomUUID()
  let gapTimer: NodeJS.Timeout | undefined
  let isPublishingGap = false

  function scheduleGapNotice(): void {
    gapTimer ??= setTimeout(() => {
      gapTimer = undefined
      topics.deliver(gapTopic, null)
    }, gapDelayMs).unref()
  }

  /**
   * A message that could not be published is lost for the other nodes; they are notified as soon as they can be
   * reached.
   */
  async function publishGap(): Promise<void> {
    if (isPublishingGap) return
    isPublishingGap = true
    while (!signal.aborted && !(await send(gapTopic, null))) await wait(retryDelayMs, undefined, { ref: false })
    isPublishingGap = false
  }

  const send = (topic: string, message: unknown): Promise<boolean> =>
    redis.publish(channel, `${node}\n${topic}\n${JSON.stringify(message)}`).then(
      () => true,
      () => false,
    )

  function handleMessage(content: Buffer): void {
    const text = content.toString('utf8')
    const [from = '', topic = ''] = text.split('\n', 2)
    if (from === node) return
    if (topic === gapTopic) scheduleGapNotice()
    if (!topics.hasListeners(topic) || topic === gapTopic) return
    const message = parse(text.slice(from.length + topic.length + 2))
    if (message !== undefined) topics.deliver(topic, message)
  }

  redis.onResubscribed(scheduleGapNotice)
  await redis.subscribe(channel, handleMessage)

  return {
    publish(topic, message) {
      topics.deliver(topic, message)
      void send(topic, message).then((isSent) => (isSent ? undefined : publishGap()))
    },
    subscribe: topics.subscribe,
    onGap: (listener) => topics.subscribe(gapTopic, listener),
    isInSync: () => !redis.isDisconnected() && gapTimer === undefined,
  }
}

/** Returns undefined for text that no node has sent. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
