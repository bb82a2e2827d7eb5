import { startWorker } from '@sallyport/browser/task-port'
import type { FileKeys } from '@sallyport/crypto'
import type { ArchiveWorker } from '../../engine/archive/archive-worker.ts'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import archiveWorkerUrl from '../workers/archive.worker.ts?worker&url'
import decryptWorkerUrl from '../workers/decrypt.worker.ts?worker&url'
import type { ArchiveTasks, DecryptTasks, SavedFile } from '../workers/tasks.ts'
import type { PrivateFile } from './private-files.ts'

export interface PageDecryptWorker extends DecryptWorker<SavedFile> {
  abort(): Promise<void>
  suspend(): Promise<void>
  /** Gives the other end of the port access to the staged records. */
  serveStaged(port: MessagePort): Promise<void>
}

/** Downloads, decrypts and writes in a worker. Closing or aborting terminates the worker. */
export async function openDecryptWorker(
  keys: FileKeys,
  { name: privateName, isPartial }: Pick<PrivateFile, 'name' | 'isPartial'>,
): Promise<PageDecryptWorker> {
  const { tasks, run, end } = startWorker<DecryptTasks>(decryptWorkerUrl, 'decrypt')
  try {
    return {
      ...(await tasks.open({ keys, privateName, isPartial })),
      receive: tasks.receive,
      async close(...options) {
        const saved = await tasks.close(...options)
        end()
        return saved
      },
      abort: () => tasks.abort().finally(end),
      suspend: () => tasks.suspend().finally(end),
      serveStaged: (port) => run('serveStaged', [port], [port]),
    }
  } catch (error) {
    end()
    throw error
  }
}

/** Downloads, decrypts and writes an archive in a worker. Closing or aborting terminates the worker. */
export function openArchiveWorker(privateName: string): ArchiveWorker<SavedFile> {
  const { tasks, end } = startWorker<ArchiveTasks>(archiveWorkerUrl, 'archive')
  return {
    open: tasks.open,
    reserve: (bytes) => tasks.reserve(bytes, privateName),
    begin: tasks.begin,
    receive: tasks.receive,
    receiveMany: tasks.receiveMany,
    end: tasks.end,
    async close(...options) {
      const saved = await tasks.close(...options)
      end()
      return saved
    },
    abort: () => tasks.abort().finally(end),
  }
}
