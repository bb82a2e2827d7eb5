import { serveTasks } from '@sallyport/browser/serve-tasks'
import { systemClock } from '@sallyport/client/clock'
import { createArchiveWorker } from '../../engine/archive/archive-worker.ts'
import { openArchiveTarget } from './storage/archive.targets.ts'
import type { ArchiveTasks } from './tasks.ts'
import { sumProgress } from './throttle.ts'

let privateName = ''

const archiver = createArchiveWorker({
  openTarget: (bytes) => openArchiveTarget(privateName, bytes),
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
})

serveTasks<ArchiveTasks>({
  ...archiver,
  reserve(bytes, name) {
    privateName = name
    return archiver.reserve(bytes)
  },
  receiveMany: (files, onOpened, signal) => sumProgress(onOpened, (push) => archiver.receiveMany(files, push, signal)),
  close: (onDecrypted, signal) => sumProgress(onDecrypted, (push) => archiver.close(push, signal)),
})
