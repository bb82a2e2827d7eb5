import { startWorker, type TaskPort } from '@sallyport/browser/task-port'
import { ignore } from '@sallyport/contract/ignore'
import { smallFileBytes } from '@sallyport/contract/limits'
import type { CreateEncryptWorker, EncryptSource, EncryptWorker } from '../../engine/upload/encrypt-worker.ts'
import { claimPrivateFile } from '../downloads/private-files.ts'
import encryptWorkerUrl from '../workers/encrypt.worker.ts?worker&url'
import type { EncryptTasks } from '../workers/tasks.ts'

/** Encrypts in a worker, so that encryption never blocks the page: large files in their own, small ones in a shared one. */
export const openEncryptWorker: CreateEncryptWorker = (source) =>
  source.keys.header.plainBytes < smallFileBytes ? openInSharedWorker(source) : openInOwnWorker(source)

/** Closing terminates the worker and removes its files. */
function openInOwnWorker(source: EncryptSource): EncryptWorker {
  const port = startWorker<EncryptTasks>(encryptWorkerUrl, 'encrypt')
  const privateFile = claimPrivateFile()
  const worker = openFile(port, source, privateFile.name)
  return {
    ...worker,
    close() {
      port.end()
      void privateFile.remove()
    },
  }
}

/** A worker holds copies of the bodies it has sent until it is terminated, so it is replaced after this many bytes. */
const maxBytesPerSharedWorker = 64 * 1024 * 1024
/** Each file leaves requests and messages behind too, so even a small one counts as this many bytes. */
const minBytesPerFile = 512 * 1024
/** Starting a worker costs more than encrypting a small file, so an idle one is held for a moment. */
const idleMs = 5000

interface SharedEncryptWorker {
  readonly port: TaskPort<EncryptTasks>
  openFiles: number
  openedBytes: number
}

let sharedWorker: SharedEncryptWorker | null = null
let idleTimer: ReturnType<typeof setTimeout> | undefined

function openInSharedWorker(source: EncryptSource): EncryptWorker {
  clearTimeout(idleTimer)
  const bytes = Math.max(minBytesPerFile, source.keys.header.plainBytes)
  if (sharedWorker && sharedWorker.openedBytes + bytes > maxBytesPerSharedWorker) retire(sharedWorker)
  sharedWorker ??= { port: startWorker(encryptWorkerUrl, 'encrypt'), openFiles: 0, openedBytes: 0 }
  const shared = sharedWorker
  shared.openFiles += 1
  shared.openedBytes += bytes
  const worker = openFile(shared.port, source, null)

  /** A worker that has failed once may be gone, so the next file starts another one. */
  async function retireOnFailure<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
    try {
      return await task
    } catch (error) {
      if (!signal.aborted) retire(shared)
      throw error
    }
  }

  return {
    encryptAndSend: (task, onProgress, signal) =>
      retireOnFailure(worker.encryptAndSend(task, onProgress, signal), signal),
    isUnchanged: (task, signal) => retireOnFailure(worker.isUnchanged(task, signal), signal),
    mayRetainBodies: worker.mayRetainBodies,
    close() {
      worker.close()
      shared.openFiles -= 1
      if (shared.openFiles > 0) return
      if (shared === sharedWorker) idleTimer = setTimeout(() => retire(shared), idleMs)
      else shared.port.end()
    },
  }
}

/** Opens no more files in this worker and terminates it once all its files are closed. */
function retire(worker: SharedEncryptWorker): void {
  if (worker === sharedWorker) sharedWorker = null
  if (worker.openFiles === 0) worker.port.end()
}

let lastFileNumber = 0

function openFile({ tasks }: TaskPort<EncryptTasks>, source: EncryptSource, folderName: string | null): EncryptWorker {
  lastFileNumber += 1
  const fileNumber = lastFileNumber
  // Not awaited before the next task: the worker handles tasks in their order.
  tasks.open(fileNumber, source, folderName).catch((error) => ignore(error, 'the tasks of the file fail too'))
  let mayRetainBodies = true
  return {
    async encryptAndSend(...input) {
      const result = await tasks.encryptAndSend(fileNumber, ...input)
      mayRetainBodies = result.mayRetainBodies
      return result.outcome
    },
    isUnchanged: (...input) => tasks.isUnchanged(fileNumber, ...input),
    mayRetainBodies: () => mayRetainBodies,
    close() {
      tasks.close(fileNumber).catch((error) => ignore(error, 'the worker is gone'))
    },
  }
}
