import { serveTasks } from '@sallyport/browser/serve-tasks'
import { systemClock } from '@sallyport/client/clock'
import {
  type ChunkProgress,
  createEncryptWorker,
  type EncryptWorker,
  type SendBytes,
} from '../../engine/upload/encrypt-worker.ts'
import { prepareUpload, toPersistedUpload } from '../../engine/upload/prepare-upload.ts'
import { createMemoryBuffers } from '../../engine/upload/sealed-buffers.ts'
import { sendBySocket } from '../../engine/upload/send-by-socket.ts'
import { sendViaXhr } from './send-by-xhr.ts'
import { createFileBuffers } from './storage/file-buffers.ts'
import type { EncryptTasks } from './tasks.ts'
import { withThrottle } from './throttle.ts'

const encryptWorkers = new Map<number, EncryptWorker>()

const sendRequest: typeof fetch = (input, init) => fetch(input, init)
const sendViaSocket = sendBySocket({ fetch: sendRequest, clock: systemClock, origin: location.origin })
const send: SendBytes = (work) => (work.transport === 'socket' ? sendViaSocket(work) : sendViaXhr(work))

serveTasks<EncryptTasks>({
  prepare: (inputs) => Promise.all(inputs.map(async (input) => toPersistedUpload(await prepareUpload(input)))),
  async open(fileNumber, source, folderName) {
    const createBuffer = folderName === null ? createMemoryBuffers() : createFileBuffers(folderName)
    encryptWorkers.set(fileNumber, createEncryptWorker(source, { send, createBuffer }))
  },
  encryptAndSend: (fileNumber, task, onProgress, signal) =>
    withThrottle({ emit: onProgress, merge: (_, latest) => latest }, async (push, flush) => {
      const worker = requireWorker(fileNumber)
      const pushUpdate = (update: ChunkProgress) => {
        push(update)
        // Digests have to be persisted before the bytes are sent.
        if (update.recordDigests) flush()
      }
      const outcome = await worker.encryptAndSend(task, pushUpdate, signal)
      return { outcome, mayRetainBodies: worker.mayRetainBodies() }
    }),
  isUnchanged: async (fileNumber, task, signal) => requireWorker(fileNumber).isUnchanged(task, signal),
  async close(fileNumber) {
    encryptWorkers.get(fileNumber)?.close()
    encryptWorkers.delete(fileNumber)
  },
})

function requireWorker(fileNumber: number): EncryptWorker {
  const worker = encryptWorkers.get(fileNumber)
  if (!worker) throw new Error('The file is not open')
  return worker
}
