import { randomBytes } from 'node:crypto'
import { test } from 'vitest'
import { createSharedServices, type SharedServices } from '../../app/shared-services.ts'
import { openRedis } from '../../platform/redis/redis.ts'
import { useRedis } from './redis-server.ts'

interface BusTestContext {
  /** Opens the shared services of a node. With Redis each call opens another node; without it all calls return the same one. */
  readonly openNode: () => Promise<SharedServices>
  /** The clock of the test. It is stopped and only moves by `advance`. */
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** Starts a Redis for the test file and returns functions that run a test in one process and over Redis. */
export function useBothBuses() {
  const server = useRedis()
  const silentLogger = { info: () => undefined, warn: () => undefined }
  const secret = randomBytes(32)

  async function runTest(isShared: boolean, body: (stage: BusTestContext) => Promise<void>): Promise<void> {
    const shutdown = new AbortController()
    const { signal } = shutdown
    let time = Date.now()
    const now = () => time
    const openNode = async () => {
      const redis = isShared ? await openRedis({ url: server.url, log: silentLogger }) : null
      signal.addEventListener('abort', () => void redis?.close())
      return createSharedServices({ redis, secret, now, signal })
    }
    const singleNode = isShared ? null : await openNode()
    const advance = (ms: number): void => {
      time += ms
    }
    try {
      await body({ openNode: async () => singleNode ?? openNode(), now, advance })
    } finally {
      shutdown.abort()
    }
  }

  return {
    server,
    onBothBuses(title: string, body: (stage: BusTestContext) => Promise<void>): void {
      test(`${title} [one process]`, () => runTest(false, body))
      test(`${title} [Redis]`, () => runTest(true, body))
    },
    onRedis: (title: string, body: (stage: BusTestContext) => Promise<void>): void =>
      test(title, () => runTest(true, body)),
  }
}
