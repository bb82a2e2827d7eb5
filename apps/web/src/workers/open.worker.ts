import { systemClock } from '@sallyport/client/clock'
import { createOpenLane, type OpenLane } from '@sallyport/client/download/open-lane'
import { openSink } from './open.sinks.ts'
import { serveTasks } from './serve-tasks.ts'
import type { OpenTasks, SavedFile } from './tasks.ts'
import { tellSeldom } from './tell-seldom.ts'

let opened: OpenLane<SavedFile> | undefined

serveTasks<OpenTasks>({
  async open(ask) {
    const sink = await openSink(ask)
    const sendRequest: typeof fetch = (input, init) => fetch(input, init)
    opened = createOpenLane({ keys: ask.keys, sink, fetch: sendRequest, clock: systemClock })
    return { place: opened.place, isSeekable: opened.isSeekable, ...(opened.kept && { kept: opened.kept }) }
  },
  async receive(task, { report, signal }) {
    const progress = tellSeldom(report, (waiting, next) => waiting + next)
    try {
      return await lane().receive(task, progress.tell, signal)
    } finally {
      progress.flush()
    }
  },
  close: () => lane().close(),
  async abort() {
    await lane().abort()
    return undefined
  },
  async leave() {
    await lane().leave?.()
    return undefined
  },
})

function lane(): OpenLane<SavedFile> {
  if (!opened) throw new Error('The lane was not opened')
  return opened
}
