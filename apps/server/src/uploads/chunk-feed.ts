import { Readable } from 'node:stream'

const feedBytes = 1024 * 1024

/** Bytes of one chunk on their way from a socket to the disk. */
export interface ChunkFeed {
  readonly bytes: Readable
  /** How many more may come. */
  readonly room: number
  /** Hands over some bytes, at most as many as there is room for. */
  give(piece: Buffer): void
  /** Says that no more come. */
  end(): void
}

/** A chunk of at most so many bytes. Whoever feeds it is told when to wait, and when to go on. */
export function createChunkFeed(mostBytes: number, tell: { wait: () => void; goOn: () => void }): ChunkFeed {
  let room = mostBytes
  const bytes = new Readable({ highWaterMark: feedBytes, read: tell.goOn })
  return {
    bytes,
    get room() {
      return room
    },
    give(piece) {
      room -= piece.length
      const wantsMore = bytes.push(piece)
      if (room === 0) bytes.push(null)
      else if (!wantsMore) tell.wait()
    },
    end() {
      if (room > 0) bytes.push(null)
    },
  }
}
