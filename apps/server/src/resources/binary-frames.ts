import type { Socket } from 'node:net'

interface Frame {
  readonly headerBytes: number
  readonly contentBytes: number
  readonly mask: Buffer
  readonly isFinal: boolean
  readonly opcode: number
}

const opcodes = { continuation: 0, binary: 2 } as const
const longestHeader = 14
const longestPiece = 64 * 1024
const maskBit = 0x80

/** Reads the header of a client's frame; null while it is not there whole, or is none that may be split. */
function readHeader(bytes: Buffer): Frame | 'short' | 'other' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'short'
  // Reserved bits, and frames without a mask, are for the library to refuse.
  if ((first & 0x70) !== 0 || (second & maskBit) === 0) return 'other'
  const short = second & 0x7f
  const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8
  const headerBytes = 2 + lengthBytes + 4
  if (bytes.length < headerBytes) return 'short'
  const long = lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(lengthBytes === 8 ? bytes.readBigUInt64BE(2) : 0n)
  return {
    headerBytes,
    contentBytes: short < 126 ? short : long,
    mask: bytes.subarray(headerBytes - 4, headerBytes),
    isFinal: (first & 0x80) !== 0,
    opcode: first & 0x0f,
  }
}

/** The header of a whole binary message, whose content was masked from some offset on. */
function writeHeader(contentBytes: number, mask: Buffer, offset: number): Buffer {
  const extended = contentBytes < 126 ? 0 : contentBytes < 65_536 ? 2 : 8
  const header = Buffer.allocUnsafe(2 + extended + 4)
  header[0] = 0x80 | opcodes.binary
  header[1] = maskBit | (extended === 0 ? contentBytes : extended === 2 ? 126 : 127)
  if (extended === 2) header.writeUInt16BE(contentBytes, 2)
  if (extended === 8) header.writeBigUInt64BE(BigInt(contentBytes), 2)
  for (let index = 0; index < 4; index += 1) header[2 + extended + index] = mask[(offset + index) % 4] ?? 0
  return header
}

/**
 * Cuts the binary messages of a stream of frames into messages as long as what has arrived, so that no long frame is
 * gathered. Everything else, and binary frames over the limit, is handed on as it is for the library to judge.
 */
function createBinaryFrameSplitter(mostFrameBytes: number, deliver: (bytes: Buffer) => void) {
  let header: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  /** What is left of the frame being read; its content is handed on as it is, or as messages of its own. */
  let left = 0
  let offset = 0
  let mask: Buffer<ArrayBufferLike> | null = null
  let isInBinary = false
  let isGivenUp = false

  function begin(frame: Frame, bytes: Buffer): void {
    left = frame.contentBytes
    offset = 0
    const isControl = frame.opcode >= 8
    const isBinary = frame.opcode === opcodes.binary || (frame.opcode === opcodes.continuation && isInBinary)
    if (!isControl) isInBinary = isBinary && !frame.isFinal
    mask = isBinary && left <= mostFrameBytes ? Buffer.from(frame.mask) : null
    // A binary frame of an interrupted message that is judged by the library has to look like a whole one to it.
    if (!mask) deliver(bytes.subarray(0, frame.headerBytes))
  }

  function content(bytes: Buffer): void {
    if (mask) deliver(writeHeader(bytes.length, mask, offset))
    deliver(bytes)
    offset = (offset + bytes.length) % 4
    left -= bytes.length
  }

  return function take(received: Buffer): void {
    let rest = received
    while (rest.length > 0) {
      if (isGivenUp) {
        deliver(rest)
        return
      }
      if (left > 0) {
        const piece = rest.subarray(0, Math.min(left, longestPiece))
        rest = rest.subarray(piece.length)
        content(piece)
        continue
      }
      const held = header.length
      const bytes = held === 0 ? rest : Buffer.concat([header, rest.subarray(0, longestHeader)])
      const frame = readHeader(bytes)
      if (frame === 'short') {
        header = Buffer.from(bytes)
        return
      }
      header = Buffer.alloc(0)
      if (frame === 'other') {
        isGivenUp = true
        if (held > 0) deliver(bytes.subarray(0, held))
        continue
      }
      begin(frame, bytes)
      rest = rest.subarray(frame.headerBytes - held)
    }
  }
}

type TakeBytes = (this: Socket, bytes: Buffer) => void

/** Has the library, which listens to a connection already, see its long binary frames cut into messages. */
export function splitBinaryFrames(connection: Socket, mostFrameBytes: number): void {
  const listeners = new Set(connection.listeners('data') as TakeBytes[])
  connection.removeAllListeners('data')
  const remove = connection.removeListener.bind(connection)
  // The library removes its listener once it reads no more; what still comes is then read to nowhere.
  connection.removeListener = (event: string | symbol, listener: (...args: never[]) => void) => {
    listeners.delete(listener as TakeBytes)
    return remove(event, listener as (...args: unknown[]) => void)
  }
  const deliver = (bytes: Buffer): void => {
    for (const listener of listeners) listener.call(connection, bytes)
  }
  connection.on('data', createBinaryFrameSplitter(mostFrameBytes, deliver))
}
