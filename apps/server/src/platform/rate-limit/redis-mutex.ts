import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ignore } from '@sallyport/contract/ignore'
import type { SharedRedis } from '../redis/redis.ts'
import { createLocalMutex, type KeyedMutex, mutexBusyError } from './mutex.ts'

/** A node that dies while it holds the lock blocks the others for this long at most. */
const defaultLockMs = 10_000
const acquireTimeoutMs = 5000
const retryDelayMs = 15

const renewScript = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end
return 0`

const releaseScript = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`

interface RedisMutexDeps {
  readonly redis: Pick<SharedRedis, 'run'>
  /** Hashes the keys: Redis learns neither names nor addresses. */
  readonly hash: (key: string) => string
  readonly lockMs?: number
}

/** A distributed lock over all nodes. Throws UNAVAILABLE while Redis is down, so that no two steps run concurrently. */
export function createRedisMutex({ redis: { run }, hash, lockMs = defaultLockMs }: RedisMutexDeps): KeyedMutex {
  const local = createLocalMutex()

  async function acquire(lockKey: string, token: string): Promise<void> {
    const end = performance.now() + acquireTimeoutMs
    while ((await run((commands) => commands.set(lockKey, token, 'PX', lockMs, 'NX'))) === null) {
      if (performance.now() > end) throw mutexBusyError(new Error('Timed out acquiring the lock'))
      await wait(retryDelayMs)
    }
  }

  /** Keeps the lock of a step that takes long, such as one that waits for another service. Returns how to stop. */
  function renew(lockKey: string, token: string): () => void {
    const timer = setInterval(() => {
      run((commands) => commands.eval(renewScript, 1, lockKey, token, lockMs)).catch((error: unknown) =>
        ignore(error, 'it is renewed again before it expires'),
      )
    }, lockMs / 4)
    return () => clearInterval(timer)
  }

  return {
    runExclusive: (key, step, owner) =>
      local.runExclusive(
        key,
        async () => {
          const lockKey = `turn:${hash(key)}`
          const token = randomUUID()
          await acquire(lockKey, token)
          const stopRenewing = renew(lockKey, token)
          try {
            return await step()
          } finally {
            stopRenewing()
            await run((commands) => commands.eval(releaseScript, 1, lockKey, token)).catch((error: unknown) =>
              ignore(error, 'the lock expires'),
            )
          }
        },
        owner,
      ),
  }
}
