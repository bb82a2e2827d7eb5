import { createArchiveLane } from '@sallyport/client/archive/archive-lane'
import { systemClock } from '@sallyport/client/clock'
import { openArchiveTarget } from './archive.targets.ts'
import type { ArchiveTasks } from './archive.tasks.ts'
import { serveTasks } from './serve-tasks.ts'

let privateName = ''

const lane = createArchiveLane({
  openTarget: (bytes) => openArchiveTarget(privateName, bytes),
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
})

serveTasks<ArchiveTasks>({
  open: (request, { signal }) => lane.open(request, signal),
  reserve(ask) {
    privateName = ask.privateName
    return lane.reserve(ask.bytes)
  },
  begin: (file) => lane.begin(file).then(() => undefined),
  receive: (task, { report, signal }) => lane.receive(task, report, signal),
  end: () => lane.end().then(() => undefined),
  close: () => lane.close(),
  abort: () => lane.abort().then(() => undefined),
})
