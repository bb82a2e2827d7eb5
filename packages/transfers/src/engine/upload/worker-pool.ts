import type { EncryptWorker } from './encrypt-worker.ts'

/**
 * A browser holds a copy of every request body in memory until its next garbage collection, and bytes outside the heap
 * do not trigger one. Terminating the worker frees them, so no worker that retains bodies handles more than this.
 */
const maxBytesPerWorker = 64 * 1024 * 1024
/** One worker cannot saturate a fast connection; a third gains nothing. */
const workerCount = 2

interface PooledWorker {
  readonly worker: EncryptWorker
  /** Tasks that still need this worker. */
  activeTasks: number
  handledBytes: number
}

export interface WorkerPool {
  /** Runs a task on the least busy worker and reserves the worker until the task is done. */
  use<T>(bytes: number, task: (worker: EncryptWorker) => Promise<T>): Promise<T>
  closeAll(): void
}

export function createWorkerPool(createWorker: () => EncryptWorker): WorkerPool {
  const allWorkers = new Set<PooledWorker>()
  let currentWorkers: PooledWorker[] = []

  function acquire(bytes: number): PooledWorker {
    currentWorkers = currentWorkers.filter((entry) => !isExhausted(entry, bytes))
    closeIdle()
    if (currentWorkers.length < workerCount && currentWorkers.every((place) => place.activeTasks > 0))
      currentWorkers.push(addWorker())
    return currentWorkers.reduce((leastBusy, entry) => (entry.activeTasks < leastBusy.activeTasks ? entry : leastBusy))
  }

  const isExhausted = ({ worker, handledBytes }: PooledWorker, bytes: number): boolean =>
    handledBytes > 0 && handledBytes + bytes > maxBytesPerWorker && worker.mayRetainBodies()

  function addWorker(): PooledWorker {
    const entry = { worker: createWorker(), activeTasks: 0, handledBytes: 0 }
    allWorkers.add(entry)
    return entry
  }

  function closeIdle(): void {
    for (const entry of allWorkers) {
      if (entry.activeTasks > 0 || currentWorkers.includes(entry)) continue
      allWorkers.delete(entry)
      entry.worker.close()
    }
  }

  return {
    async use(bytes, task) {
      const entry = acquire(bytes)
      entry.activeTasks += 1
      entry.handledBytes += bytes
      try {
        return await task(entry.worker)
      } finally {
        entry.activeTasks -= 1
        closeIdle()
      }
    },
    closeAll() {
      currentWorkers = []
      for (const entry of allWorkers) entry.worker.close()
      allWorkers.clear()
    },
  }
}
