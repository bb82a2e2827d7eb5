import { randomBytes } from 'node:crypto'
import { test } from 'vitest'
import { openRedis } from '../redis/redis.ts'
import { openSharedParts, type SharedParts } from '../redis/shared-parts.ts'
import { useRedis } from './redis-server.ts'

interface BusStage {
  /** What a node works with. Over Redis each call answers another node; without it there is but one. */
  readonly aNode: () => Promise<SharedParts>
  /** The time the test sees: it stands still, and moves by `advance` only. */
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** Gives the test file a Redis, and a way to run the same test in one process and over that Redis. */
export function useBothBuses() {
  const server = useRedis()
  const silent = { info: () => undefined, warn: () => undefined }
  const secret = randomBytes(32)

  async function perform(isShared: boolean, body: (stage: BusStage) => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const { signal } = ending
    let time = Date.now()
    const now = () => time
    const aNode = async () => {
      const redis = isShared ? await openRedis({ url: server.url, log: silent }) : null
      signal.addEventListener('abort', () => void redis?.close())
      return openSharedParts({ redis, secret, now, signal })
    }
    const alone = isShared ? null : await aNode()
    const advance = (ms: number): void => {
      time += ms
    }
    try {
      await body({ aNode: async () => alone ?? aNode(), now, advance })
    } finally {
      ending.abort()
    }
  }

  return {
    server,
    onBothBuses(title: string, body: (stage: BusStage) => Promise<void>): void {
      test(`${title} [one process]`, () => perform(false, body))
      test(`${title} [Redis]`, () => perform(true, body))
    },
    onRedis: (title: string, body: (stage: BusStage) => Promise<void>): void => test(title, () => perform(true, body)),
  }
}
