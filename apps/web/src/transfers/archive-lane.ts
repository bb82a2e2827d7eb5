import type { ArchiveLane } from '@sallyport/client/archive/archive-lane'
import type { ArchiveTasks } from '#/workers/archive.tasks.ts'
import archiveWorkerUrl from '#/workers/archive.worker.ts?worker&url'
import type { SavedFile } from '#/workers/tasks.ts'
import { startWorker } from './task-port.ts'

/** Fetches, opens and writes an archive in a worker. Closing or aborting ends it. */
export function openArchiveWorker(privateName: string): ArchiveLane<SavedFile> {
  const worker = startWorker<ArchiveTasks>(archiveWorkerUrl, 'archive')
  return {
    open: (request, signal) => worker.run('open', request, { signal }),
    reserve: (bytes) => worker.run('reserve', { bytes, privateName }),
    begin: (file) => worker.run('begin', file),
    receive: (task, onOpened, signal) => worker.run('receive', task, { onProgress: onOpened, signal }),
    end: () => worker.run('end', null),
    close: () => worker.run('close', null).finally(() => worker.end()),
    abort: () => worker.run('abort', null).finally(() => worker.end()),
  }
}
