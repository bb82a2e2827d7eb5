import type { Call, Connection } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import type { Connectivity } from '@sallyport/client/connectivity'
import type { FileSource } from './file-source.ts'
import type { UploadJournal } from './journal.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import type { TransportSelector } from './transport.ts'
import type { UploadProgress } from './upload-progress.ts'
import type { WorkerPool } from './worker-pool.ts'

/** What the steps of one running upload share. */
export interface UploadRun {
  readonly file: FileSource
  readonly upload: PreparedUpload
  readonly journal: UploadJournal
  readonly workerPool: WorkerPool
  readonly connection: Connection
  readonly call: Call
  readonly clock: Clock
  readonly connectivity: Connectivity
  readonly progress: UploadProgress
  readonly transports: TransportSelector
  readonly signal: AbortSignal
}
