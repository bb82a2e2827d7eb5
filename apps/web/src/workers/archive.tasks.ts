import type { ArchiveFile, ArchiveOpening } from '@sallyport/client/archive/archive-lane'
import type { ReceiveOutcome, ReceiveTask } from '@sallyport/client/download/receive-task'
import type { PreparedRequest } from '@sallyport/client/request'
import type { SavedFile } from './tasks.ts'

export type ArchiveTasks = {
  open: { ask: PreparedRequest; progress: never; result: ArchiveOpening }
  reserve: {
    ask: {
      readonly bytes: number
      /** The name in the origin's private file system, where there is one. */
      readonly privateName: string
    }
    progress: never
    result: 'disk' | 'memory'
  }
  begin: { ask: ArchiveFile; progress: never; result: undefined }
  receive: { ask: ReceiveTask; progress: number; result: ReceiveOutcome }
  end: { ask: null; progress: never; result: undefined }
  close: { ask: null; progress: never; result: SavedFile }
  abort: { ask: null; progress: never; result: undefined }
}
