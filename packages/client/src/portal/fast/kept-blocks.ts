import { portalDigest, toBase64url } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { blockBytes, lengthAt, sampleOf } from './blocks.ts'
import type { ArrivingFile, Incoming } from './incoming.ts'
import type { KeptBlock, TransferNotes } from './transfer-notes.ts'

interface Parts {
  readonly incoming: Incoming
  readonly notes: TransferNotes
  readonly clock: Clock
}

const flushBytes = 8 * blockBytes
const flushMs = 2000

/** Writes down which blocks are kept, after they are flushed: never one that a crash could still take away. */
export function createBlockKeeper({ incoming, notes, clock }: Parts) {
  const waiting: KeptBlock[] = []
  let flushedAt = clock.now()
  let work: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const blocks = waiting.splice(0)
    flushedAt = clock.now()
    const touched = new Set(blocks.map(({ f }) => f))
    await Promise.all([...touched].map((f) => incoming.files[f]?.sink.flush?.()))
    await notes.keep(incoming.tid, blocks)
  }

  return {
    /** Told of each block that was written. */
    kept(f: number, block: number, digest: string): void {
      if (incoming.files[f]?.sink.place === undefined) return
      waiting.push({ f, block, digest })
      const isDue = waiting.length * blockBytes >= flushBytes || clock.now() - flushedAt >= flushMs
      // What could not be written down comes again.
      if (isDue) work = work.then(flush).catch(() => undefined)
    },
  }
}

/**
 * Looks whether what was written down is still there: a few blocks of each file are read again and held against their
 * digests. A file that has lost or changed one of them begins anew.
 */
export async function checkKept(files: readonly ArrivingFile[]): Promise<void> {
  for (const file of files) {
    if (file.isDone) continue
    const isSound = await isStillThere(file).catch(() => false)
    if (!isSound) file.kept.fill(false)
  }
}

async function isStillThere({ kept, digests, sink, offered }: ArrivingFile): Promise<boolean> {
  for (const block of sampleOf(kept)) {
    const length = lengthAt(block, blockBytes, offered.size)
    const bytes = await sink.read?.(block * blockBytes, length)
    if (bytes?.length !== length || toBase64url(await portalDigest(bytes)) !== digests[block]) return false
  }
  return true
}
