import type { LaneProgress, OpenSealLane, SealLane, SealSource, SendOutcome } from '@sallyport/client/upload/seal-lane'
import { trustedScriptUrl } from '#/ui/trusted-script-url.ts'
import type { SealReport, SealRequest } from '#/workers/seal.messages.ts'
import sealWorkerUrl from '#/workers/seal.worker.ts?worker&url'

interface Pending {
  readonly onProgress: (progress: LaneProgress) => void
  readonly resolve: (outcome: SendOutcome) => void
  readonly reject: (reason: unknown) => void
}

/** A lane in a worker of its own, so that sealing never holds up the page. Closing it ends the worker. */
export const openWorkerLane: OpenSealLane = (source) => {
  const worker = new Worker(trustedScriptUrl(sealWorkerUrl), { type: 'module', name: 'seal' })
  return overWorker(worker, source)
}

function overWorker(worker: Worker, source: SealSource): SealLane {
  const pending = new Map<number, Pending>()
  const ask = (request: SealRequest) => worker.postMessage(request)
  let lastNumber = 0

  worker.onmessage = ({ data }: MessageEvent<SealReport>) => {
    const task = pending.get(data.number)
    if (data.kind === 'progress') return task?.onProgress(data.progress)
    pending.delete(data.number)
    if (data.kind === 'settled') task?.resolve(data.outcome)
    else task?.reject(new Error(data.message))
  }
  worker.onerror = () => rejectAll(new Error('The worker that encrypts stopped unexpectedly'))

  function rejectAll(reason: Error): void {
    for (const { reject } of pending.values()) reject(reason)
    pending.clear()
  }

  ask({ kind: 'open', source })
  return {
    sealAndSend(task, onProgress, signal) {
      signal.throwIfAborted()
      lastNumber += 1
      const number = lastNumber
      const abort = () => {
        ask({ kind: 'abort', number })
        pending.get(number)?.reject(signal.reason)
        pending.delete(number)
      }
      signal.addEventListener('abort', abort)
      return new Promise<SendOutcome>((resolve, reject) => {
        pending.set(number, { onProgress, resolve, reject })
        ask({ kind: 'seal-and-send', number, task })
      }).finally(() => signal.removeEventListener('abort', abort))
    },
    close() {
      worker.terminate()
      rejectAll(new Error('The lane was closed'))
    },
  }
}
