import { createSealLane, type SealLane } from '@sallyport/client/upload/seal-lane'
import { sendByXhr } from './send-by-xhr.ts'
import { serveTasks } from './serve-tasks.ts'
import type { SealTasks } from './tasks.ts'

let lane: SealLane | undefined

serveTasks<SealTasks>({
  async open(source) {
    lane = createSealLane(source, sendByXhr)
    return undefined
  },
  async 'seal-and-send'(task, { report, signal }) {
    if (!lane) throw new Error('The lane was not opened')
    return lane.sealAndSend(task, report, signal)
  },
})
