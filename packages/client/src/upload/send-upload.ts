import { FileChangedError, type FileSource } from './file-source.ts'
import { journalInMemory, type UploadJournal } from './journal.ts'
import { createLanePool, type LanePool } from './lane-pool.ts'
import { whileOpen } from './line.ts'
import { keptOf } from './prepare-upload.ts'
import type { SealLane } from './seal-lane.ts'
import { type SendFile, sendFile } from './send-file.ts'
import { askStanding, requireSameBytes } from './stored-chunks.ts'

interface SendUpload extends Omit<SendFile, 'lanes' | 'journal' | 'stored' | 'checkFile'> {
  readonly file: FileSource
  readonly lookAgain: (() => Promise<Pick<FileSource, 'size' | 'lastModified'>>) | undefined
  /** Null for an upload that another attempt would begin anew. */
  readonly journal: UploadJournal | null
  /** Something of it may have reached the server before. */
  readonly isResumed: boolean
  readonly openLane: () => SealLane
}

/** Brings a file to the server, or what is missing of it there; gives the id of the file that the server made of it. */
export async function sendUpload(work: SendUpload): Promise<string> {
  const { file, upload, openLane, lookAgain, isResumed } = work
  const journal = work.journal ?? (await journalInMemory(keptOf(upload)))
  const lanes = createLanePool(openLane)
  try {
    const standing = isResumed ? await findStanding({ ...work, journal, lanes }) : { stored: new Set<number>() }
    if ('fileId' in standing) return standing.fileId
    return await sendFile({
      ...work,
      ...standing,
      journal,
      lanes,
      async checkFile() {
        const { size, lastModified } = (await lookAgain?.()) ?? file
        const isSame = size === upload.keys.header.plainBytes && lastModified === upload.lastModified
        if (!isSame) throw new FileChangedError()
      },
    })
  } finally {
    lanes.closeAll()
  }
}

interface Comparison extends SendUpload {
  readonly journal: UploadJournal
  readonly lanes: LanePool
}

/** The chunks that need not be sent again: the server has them, and they were sealed from this very file. */
async function findStanding(work: Comparison) {
  const { call, upload, journal, lanes, clock, line, progress, signal } = work
  const standing = await whileOpen(line, signal, (ending) => askStanding({ call, upload, signal: ending }))
  if (standing.state === 'finished') return { fileId: standing.fileId }
  const chunksOf = (indexes: ReadonlySet<number>) => [...indexes].map((index) => upload.plan.chunk(index))
  progress.resume(chunksOf(standing.stored), clock.now(), false)
  const same = await requireSameBytes({ upload, journal, lanes, signal })
  const stored = standing.stored.intersection(same)
  progress.resume(chunksOf(stored), clock.now(), true)
  return { stored }
}
