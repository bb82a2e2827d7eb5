import { setTimeout as wait } from 'node:timers/promises'
import { apiError } from '../../../errors.ts'

interface RunningChunk {
  readonly controller: AbortController
  readonly done: Promise<void>
}

interface UploadLock {
  readonly chunks: Map<number, RunningChunk>
  exclusive: Promise<void> | null
  holders: number
}

/** How long closing waits for running operations. */
const idleTimeoutMs = 10_000
/** How long completion waits for running chunks. */
const exclusiveTimeoutMs = 30_000

/**
 * Serializes the operations on one upload within this process. Chunks with different indexes run concurrently; a
 * repeated chunk aborts its predecessor and waits until that has stopped. Completing and cancelling are exclusive.
 */
export function createUploadLocks() {
  const locks = new Map<string, UploadLock>()
  const running = new Set<Promise<unknown>>()

  function withLock<Result>(key: string, work: (lock: UploadLock) => Promise<Result>): Promise<Result> {
    const operation = runWithLock(key, work)
    const done: Promise<boolean> = operation.then(
      () => running.delete(done),
      () => running.delete(done),
    )
    running.add(done)
    return operation
  }

  async function runWithLock<Result>(key: string, work: (lock: UploadLock) => Promise<Result>): Promise<Result> {
    const lock = locks.get(key) ?? { chunks: new Map<number, RunningChunk>(), exclusive: null, holders: 0 }
    locks.set(key, lock)
    lock.holders += 1
    try {
      return await work(lock)
    } finally {
      lock.holders -= 1
      if (lock.holders === 0) locks.delete(key)
    }
  }

  return {
    /** Runs the work of one chunk. Its signal aborts when the chunk is sent again or the upload is cancelled. */
    runChunk<Result>(key: string, index: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
      return withLock(key, async (lock) => {
        for (let previous = lock.chunks.get(index); lock.exclusive || previous; previous = lock.chunks.get(index)) {
          previous?.controller.abort(apiError('CONFLICT'))
          await (lock.exclusive ?? previous?.done)
        }
        const controller = new AbortController()
        const done = Promise.withResolvers<void>()
        lock.chunks.set(index, { controller, done: done.promise })
        try {
          return await work(controller.signal)
        } finally {
          lock.chunks.delete(index)
          done.resolve()
        }
      })
    },

    /** Runs the work once no chunk is running. Throws CONFLICT if a chunk does not finish in time. */
    runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      return withLock(key, (lock) => runWhenIdle(lock, work))
    },

    /** Like `runExclusive`, but aborts the running chunks. */
    abortAndRunExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      return withLock(key, (lock) => {
        for (const { controller } of lock.chunks.values()) controller.abort(apiError('UPLOAD_NOT_FOUND'))
        return runWhenIdle(lock, work)
      })
    },

    /** Resolves once no operation is running, or after 10 s: a disk that does not answer must not keep a server open. */
    async whenIdle(): Promise<void> {
      const idle = async () => {
        while (running.size > 0) await Promise.all(running)
      }
      await Promise.race([idle(), wait(idleTimeoutMs, undefined, { ref: false })])
    },
  }
}

async function runWhenIdle<Result>(lock: UploadLock, work: () => Promise<Result>): Promise<Result> {
  while (lock.exclusive) await lock.exclusive
  const done = Promise.withResolvers<void>()
  lock.exclusive = done.promise
  try {
    await withTimeout(exclusiveTimeoutMs, Promise.all([...lock.chunks.values()].map((chunk) => chunk.done)))
    return await work()
  } finally {
    lock.exclusive = null
    done.resolve()
  }
}

async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(apiError('CONFLICT')), milliseconds)
  try {
    await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
