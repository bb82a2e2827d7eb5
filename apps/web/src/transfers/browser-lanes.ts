import type { OpenLane } from '@sallyport/client/download/open-lane'
import type { OpenSealLane } from '@sallyport/client/upload/seal-lane'
import type { FileKeys } from '@sallyport/crypto'
import openWorkerUrl from '#/workers/open.worker.ts?worker&url'
import sealWorkerUrl from '#/workers/seal.worker.ts?worker&url'
import type { OpenTasks, SavedFile, SealTasks } from '#/workers/tasks.ts'
import { claimPrivateFile, type PrivateFile } from './private-files.ts'
import { startWorker } from './task-port.ts'

/** A lane in a worker of its own, so that sealing never holds up the page. Closing it ends the worker and clears up. */
export const openWorkerLane: OpenSealLane = (source) => {
  const worker = startWorker<SealTasks>(sealWorkerUrl, 'seal')
  const place = claimPrivateFile()
  const opened = worker.run('open', { source, folderName: place.name })
  opened.catch(() => undefined)
  let leavesCopies = true
  return {
    async sealAndSend(task, onProgress, signal) {
      await opened
      const done = await worker.run('seal-and-send', task, { onProgress, signal })
      leavesCopies = done.leavesCopies
      return done.outcome
    },
    async isUnchanged(task, signal) {
      await opened
      return worker.run('is-unchanged', task, { signal })
    },
    leavesCopies: () => leavesCopies,
    close() {
      worker.end()
      void place.remove()
    },
  }
}

/** Fetches, opens and writes in a worker. Closing or aborting ends it. */
export async function openReceivingLane(
  keys: FileKeys,
  place: Pick<PrivateFile, 'name' | 'isPartial'>,
): Promise<OpenLane<SavedFile>> {
  const worker = startWorker<OpenTasks>(openWorkerUrl, 'open')
  try {
    const sink = await worker.run('open', { keys, privateName: place.name, isPartial: place.isPartial })
    return {
      ...sink,
      receive: (task, onOpened, signal) => worker.run('receive', task, { onProgress: onOpened, signal }),
      close: () => worker.run('close', null).finally(() => worker.end()),
      abort: () =>
        worker
          .run('abort', null)
          .then(() => undefined)
          .finally(() => worker.end()),
      leave: () =>
        worker
          .run('leave', null)
          .then(() => undefined)
          .finally(() => worker.end()),
    }
  } catch (error) {
    worker.end()
    throw error
  }
}
