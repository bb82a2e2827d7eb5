import { systemClock } from '@sallyport/client/clock'
import {
  type ChunkProgress,
  createEncryptWorker,
  type EncryptWorker,
  type SendBytes,
} from '@sallyport/client/upload/encrypt-worker'
import { createMemoryBuffers } from '@sallyport/client/upload/sealed-buffers'
import { sendBySocket } from '@sallyport/client/upload/send-by-socket'
import { smallFileBytes } from '@sallyport/contract/limits'
import { sendViaXhr } from './send-by-xhr.ts'
import { serveTasks } from './serve-tasks.ts'
import { createFileBuffers } from './storage/file-buffers.ts'
import type { EncryptTasks } from './tasks.ts'
import { withThrottle } from './throttle.ts'

let encryptWorker: EncryptWorker | undefined

const sendRequest: typeof fetch = (input, init) => fetch(input, init)
const sendViaSocket = sendBySocket({ fetch: sendRequest, clock: systemClock, origin: location.origin })
const send: SendBytes = (work) => (work.transport === 'socket' ? sendViaSocket(work) : sendViaXhr(work))

serveTasks<EncryptTasks>({
  async open(source, folderName) {
    const isSmall = source.keys.header.plainBytes < smallFileBytes
    const createBuffer = isSmall ? createMemoryBuffers() : createFileBuffers(folderName)
    encryptWorker = createEncryptWorker(source, { send, createBuffer })
  },
  encryptAndSend: (task, onProgress, signal) =>
    withThrottle({ emit: onProgress, merge: (_, latest) => latest }, async (push, flush) => {
      const worker = requireWorker()
      const pushUpdate = (update: ChunkProgress) => {
        push(update)
        // Digests have to be persisted before the bytes are sent.
        if (update.recordDigests) flush()
      }
      const outcome = await worker.encryptAndSend(task, pushUpdate, signal)
      return { outcome, mayRetainBodies: worker.mayRetainBodies() }
    }),
  isUnchanged: async (task, signal) => requireWorker().isUnchanged(task, signal),
})

function requireWorker(): EncryptWorker {
  if (!encryptWorker) throw new Error('The encrypt worker is not open')
  return encryptWorker
}
