import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Creates a PNG of one RGB colour. */
export function makePng(width: number, height: number, colour: readonly [number, number, number]): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Bit depth 8, colour type RGB.
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const typeAndContent = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const chunk = Buffer.alloc(typeAndContent.length + 8)
  chunk.writeUInt32BE(content.length, 0)
  chunk.set(typeAndContent, 4)
  chunk.writeUInt32BE(crc32(typeAndContent), typeAndContent.length + 4)
  return chunk
}
