import { type Bytes, fromBase64url, portalDigest, toBase64url } from '@sallyport/crypto/portal'
import { portalTexts } from '../texts.ts'
import { blockBytes, chunkCount, lengthAt, rootOf } from './blocks.ts'
import type { CancelCode, FastMessage, Said } from './fast-messages.ts'
import { missingIn, type Range } from './gaps.ts'
import { type ArrivingFile, type Incoming, keptBytes } from './incoming.ts'

export interface AssemblyEvents {
  readonly onProgress: (file: number, bytes: number) => void
  /** Told of every block that was written, with the digest it fits. */
  readonly onKept?: (file: number, block: number, digest: string) => void
  readonly onDone?: (file: number) => void
}

interface Parts extends AssemblyEvents {
  readonly incoming: Incoming
  readonly say: (message: FastMessage) => void
  /** Tells the sender that it is over, and why. */
  readonly giveUp: (code: CancelCode, reason?: string) => never
  /** Tells the sender what has come, before it is told that a file is whole. */
  readonly acknowledge: () => void
  /** Told once all files are whole. */
  readonly onWhole: () => void
}

const mostFruitlessRounds = 5
const mostRanges = 256

/**
 * Puts chunks together to blocks and blocks to files, asks for what is missing or damaged, and gives up where that comes
 * to nothing.
 */
export function createAssembly({ incoming, say, giveUp, acknowledge, onWhole, ...events }: Parts) {
  const { tid, chunk, files } = incoming
  const transfer = fromBase64url(tid)
  const perBlock = blockBytes / chunk
  let held = 0
  let fruitless = 0
  let isFinishing = false

  function ask(file: ArrivingFile, ranges: Range[], why: string): void {
    say({ type: 'px-need', tid, f: files.indexOf(file), ranges: ranges.slice(0, mostRanges), why })
  }

  function askForBlock(file: ArrivingFile, block: number): void {
    const count = chunkCount(lengthAt(block, blockBytes, file.offered.size), chunk)
    ask(file, [{ first: block * perBlock, count }], 'hash')
  }

  async function keep(file: ArrivingFile, block: number): Promise<void> {
    const gathering = file.gathering.get(block)
    const digest = file.digests[block]
    if (!gathering || digest === undefined || file.kept[block]) return
    if (gathering.got.size < chunkCount(gathering.bytes.length, chunk)) return
    file.gathering.delete(block)
    held -= gathering.bytes.length
    if (toBase64url(await portalDigest(gathering.bytes)) !== digest) {
      fruitless += 1
      if (fruitless > mostFruitlessRounds) giveUp('damaged')
      return askForBlock(file, block)
    }
    await file.sink.write(gathering.bytes, block * blockBytes).catch(() => giveUp('no-space', portalTexts.noSpaceHere))
    file.kept[block] = true
    events.onKept?.(files.indexOf(file), block, digest)
    events.onProgress(files.indexOf(file), keptBytes(file))
    await finish(file)
  }

  async function finish(file: ArrivingFile): Promise<void> {
    if (file.isDone || !file.end || !file.kept.every(Boolean)) return
    const f = files.indexOf(file)
    const digests = file.digests.map((digest) => fromBase64url(digest ?? ''))
    const root = await rootOf(transfer, f, file.offered.size, digests)
    if (root !== file.end.root || file.end.chunks !== chunkCount(file.offered.size, chunk)) giveUp('damaged')
    isFinishing = true
    await file.sink.finish().finally(() => {
      isFinishing = false
    })
    file.isDone = true
    events.onDone?.(f)
    acknowledge()
    say({ type: 'px-done', tid, f })
    if (files.every(({ isDone }) => isDone)) onWhole()
  }

  return {
    /** Bytes of blocks that are not whole yet. */
    heldBytes: () => held,
    /** Whether a whole file is handed over just now, during which nothing that arrives is taken. */
    isFinishing: () => isFinishing,

    async place(file: ArrivingFile, index: number, plain: Bytes): Promise<void> {
      const block = Math.floor(index / perBlock)
      file.highest = Math.max(file.highest, index)
      if (file.kept[block]) return
      const length = lengthAt(block, blockBytes, file.offered.size)
      const gathering = file.gathering.get(block) ?? { bytes: new Uint8Array(length), got: new Set<number>() }
      file.gathering.set(block, gathering)
      if (gathering.got.has(index)) return
      gathering.got.add(index)
      gathering.bytes.set(plain, (index % perBlock) * chunk)
      held += plain.length
      fruitless = 0
      if (gathering.got.size === chunkCount(length, chunk)) await keep(file, block)
    },

    /** A kept block that the sender has otherwise by now comes again. */
    async takeDigest(file: ArrivingFile, block: number, digest: string): Promise<void> {
      if (file.kept[block] && file.digests[block] !== digest) {
        fruitless += 1
        if (fruitless > mostFruitlessRounds) giveUp('source-changed')
        file.kept[block] = false
        file.digests[block] = digest
        return askForBlock(file, block)
      }
      file.digests[block] ??= digest
      await keep(file, block)
    },

    async takeEnd(file: ArrivingFile, said: Said<'px-end'>): Promise<void> {
      if (file.end) return
      file.end = said
      await finish(file)
    },

    /** Asks for what did not come, once nothing has come for a while. */
    askForGaps(): void {
      for (const file of files) {
        const ranges = file.isDone || !file.key ? [] : missingIn(file, chunk)
        if (ranges.length === 0) continue
        fruitless += 1
        if (fruitless > mostFruitlessRounds * 4) giveUp('damaged')
        ask(file, ranges, 'gap')
      }
    },
  }
}
