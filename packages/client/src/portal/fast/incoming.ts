import type { Bytes } from '@sallyport/crypto/portal'
import type { PortalSink } from '../channel.ts'
import { blockBytes, blockCount, lengthAt, sampleOf } from './blocks.ts'
import type { OfferedFile, Said } from './fast-messages.ts'
import type { ArrivalNote } from './transfer-notes.ts'

interface Gathering {
  readonly bytes: Bytes
  readonly got: Set<number>
}

export interface ArrivingFile {
  readonly offered: OfferedFile
  readonly sink: PortalSink
  readonly digests: (string | undefined)[]
  /** Blocks that are kept, with a digest that fits. */
  readonly kept: boolean[]
  readonly gathering: Map<number, Gathering>
  key: Promise<CryptoKey> | null
  end: Said<'px-end'> | null
  /** The highest chunk that has come; gaps lie below. */
  highest: number
  isDone: boolean
}

/** A transfer as its receiver keeps it; it outlives a link. */
export interface Incoming {
  readonly tid: string
  readonly chunk: 16_384 | 32_768 | 65_536
  readonly files: readonly ArrivingFile[]
  /** Digest of what the sender shows when it goes on. */
  readonly proof: string
}

export const createIncoming = (
  { tid, files, chunk }: Pick<ArrivalNote, 'tid' | 'files' | 'chunk'>,
  sinkOf: (file: OfferedFile) => PortalSink,
  proof = '',
): Incoming => ({
  tid,
  chunk,
  proof,
  files: files.map((offered) => ({
    offered,
    sink: sinkOf(offered),
    digests: [],
    kept: Array.from({ length: blockCount(offered.size) }, () => false),
    gathering: new Map(),
    key: null,
    end: null,
    highest: -1,
    isDone: false,
  })),
})

/** What is kept of each file already, as `px-accept` says it. */
export const haveOf = ({ files }: Incoming): NonNullable<Said<'px-accept'>['have']> =>
  files.flatMap(({ kept, digests, isDone }, f) => {
    if (isDone || !kept.some(Boolean)) return []
    const sample = sampleOf(kept).map((block) => ({ block, digest: digests[block] ?? '' }))
    return [{ f, blocks: kept.map((is) => (is ? '1' : '0')).join(''), sample }]
  })

/** Over a new link everything but the kept blocks comes again, under another key. */
export function beginAnew(file: ArrivingFile): void {
  file.key = null
  file.end = null
  file.highest = -1
  file.gathering.clear()
}

export const keptBytes = ({ kept, offered }: Pick<ArrivingFile, 'kept' | 'offered'>): number =>
  kept.reduce((sum, is, block) => sum + (is ? lengthAt(block, blockBytes, offered.size) : 0), 0)
