import { createSealLane, type SealLane } from '@sallyport/client/upload/seal-lane'
import { placesInMemory } from '@sallyport/client/upload/sealed-places'
import { smallFileBytes } from '@sallyport/contract/limits'
import { placesInFiles } from './sealed-files.ts'
import { sendByXhr } from './send-by-xhr.ts'
import { serveTasks } from './serve-tasks.ts'
import type { SealTasks } from './tasks.ts'

let lane: SealLane | undefined

serveTasks<SealTasks>({
  async open({ source, folderName }) {
    const isSmall = source.keys.header.plainBytes < smallFileBytes
    const openPlace = isSmall ? placesInMemory() : placesInFiles(folderName)
    lane = createSealLane(source, { send: sendByXhr, openPlace })
    return undefined
  },
  async 'seal-and-send'(task, { report, signal }) {
    if (!lane) throw new Error('The lane was not opened')
    return lane.sealAndSend(task, report, signal)
  },
})
