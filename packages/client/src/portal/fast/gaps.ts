import { blockBytes, chunkCount } from './blocks.ts'
import type { Said } from './fast-messages.ts'
import type { ArrivingFile } from './incoming.ts'

export type Range = Said<'px-need'>['ranges'][number]

/** Ranges of chunks that did not come: below the highest that did, and all of them once the sender has said its last. */
export function missingIn(file: ArrivingFile, chunk: number): Range[] {
  const last = file.end ? chunkCount(file.offered.size, chunk) - 1 : file.highest
  const perBlock = blockBytes / chunk
  const ranges: Range[] = []
  for (let index = 0; index <= last; index += 1) {
    const block = Math.floor(index / perBlock)
    if (file.kept[block]) {
      index = (block + 1) * perBlock - 1
      continue
    }
    if (file.gathering.get(block)?.got.has(index)) continue
    const range = ranges.at(-1)
    if (range && range.first + range.count === index) range.count += 1
    else ranges.push({ first: index, count: 1 })
  }
  return ranges
}
