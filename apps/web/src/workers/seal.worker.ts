import { systemClock } from '@sallyport/client/clock'
import { createSealLane, type LaneProgress, type SealLane, type SendBytes } from '@sallyport/client/upload/seal-lane'
import { placesInMemory } from '@sallyport/client/upload/sealed-places'
import { sendBySocket } from '@sallyport/client/upload/send-by-socket'
import { smallFileBytes } from '@sallyport/contract/limits'
import { placesInFiles } from './sealed-files.ts'
import { sendByXhr } from './send-by-xhr.ts'
import { serveTasks } from './serve-tasks.ts'
import type { SealTasks } from './tasks.ts'
import { tellSeldom } from './tell-seldom.ts'

let lane: SealLane | undefined

const sendRequest: typeof fetch = (input, init) => fetch(input, init)
const bySocket = sendBySocket({ fetch: sendRequest, clock: systemClock, origin: location.origin })
const send: SendBytes = (work) => (work.way === 'socket' ? bySocket(work) : sendByXhr(work))

serveTasks<SealTasks>({
  async open({ source, folderName }) {
    const isSmall = source.keys.header.plainBytes < smallFileBytes
    const openPlace = isSmall ? placesInMemory() : placesInFiles(folderName)
    lane = createSealLane(source, { send, openPlace })
    return undefined
  },
  async 'seal-and-send'(task, { report, signal }) {
    if (!lane) throw new Error('The lane was not opened')
    const progress = tellSeldom(report, (_, latest) => latest)
    const tell = (made: LaneProgress) => {
      progress.tell(made)
      // They have to be noted before the bytes are taken.
      if (made.imprints) progress.flush()
    }
    try {
      return { outcome: await lane.sealAndSend(task, tell, signal), leavesCopies: lane.leavesCopies() }
    } finally {
      progress.flush()
    }
  },
  async 'is-unchanged'(task, { signal }) {
    if (!lane) throw new Error('The lane was not opened')
    return lane.isUnchanged(task, signal)
  },
})
