import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of one colour, given as three bytes. */
export function makePng(width: number, height: number, colour: readonly [number, number, number]): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits each of red, green and blue.
  header.set([8, 2], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))])
  const lines = Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    signature,
    part('IHDR', header),
    part('IDAT', deflateSync(lines)),
    part('IEND', Buffer.alloc(0)),
  ])
}

function part(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
