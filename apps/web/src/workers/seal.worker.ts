import { createSealLane, type SealLane, type SealTask } from '@sallyport/client/upload/seal-lane'
import type { SealReport, SealRequest } from './seal.messages.ts'
import { sendByXhr } from './send-by-xhr.ts'

const aborts = new Map<number, AbortController>()
let lane: SealLane | undefined

self.onmessage = ({ data }: MessageEvent<SealRequest>) => {
  if (data.kind === 'open') lane = createSealLane(data.source, sendByXhr)
  if (data.kind === 'seal-and-send') void sealAndSend(data.number, data.task)
  if (data.kind === 'abort') aborts.get(data.number)?.abort()
}

async function sealAndSend(number: number, task: SealTask): Promise<void> {
  const abort = new AbortController()
  aborts.set(number, abort)
  try {
    if (!lane) throw new Error('The lane was not opened')
    const outcome = await lane.sealAndSend(
      task,
      (progress) => report({ kind: 'progress', number, progress }),
      abort.signal,
    )
    report({ kind: 'settled', number, outcome })
  } catch (error) {
    report({ kind: 'failed', number, message: error instanceof Error ? error.message : 'Unknown failure' })
  } finally {
    aborts.delete(number)
  }
}

const report = (message: SealReport) => self.postMessage(message)
