import type { Socket } from 'node:net'

interface Frame {
  readonly headerBytes: number
  readonly contentBytes: number
  readonly mask: Buffer
  readonly isFinal: boolean
  readonly opcode: number
}

const opcodes = { continuation: 0, binary: 2 } as const
const maxHeaderBytes = 14
const maxPieceBytes = 64 * 1024
const maskBit = 0x80

/** Parses the header of a client's frame; 'short' if it is incomplete, 'other' if the frame must not be split. */
function readHeader(bytes: Buffer): Frame | 'short' | 'other' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'short'
  // Reserved bits and unmasked frames are left for ws to reject.
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

/** The header of a complete binary message whose payload was masked starting at this offset. */
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
 * Splits the binary messages in a stream of frames into smaller messages of the bytes that have arrived, so that long
 * frames are not buffered. Everything else, including oversized binary frames, is passed to ws unchanged.
 */
function createBinaryFrameSplitter(maxFrameBytes: number, emit: (bytes: Buffer) => void) {
  let header: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  /** Remaining bytes of the current frame, which are passed through or sent as messages of their own. */
  let remaining = 0
  let offset = 0
  let mask: Buffer<ArrayBufferLike> | null = null
  let isInBinary = false
  let isPassthrough = false

  function beginFrame(frame: Frame, bytes: Buffer): void {
    remaining = frame.contentBytes
    offset = 0
    const isControl = frame.opcode >= 8
    const isBinary = frame.opcode === opcodes.binary || (frame.opcode === opcodes.continuation && isInBinary)
    if (!isControl) isInBinary = isBinary && !frame.isFinal
    mask = isBinary && remaining <= maxFrameBytes ? Buffer.from(frame.mask) : null
    // Control, text and oversized frames are passed through with their header.
    if (!mask) emit(bytes.subarray(0, frame.headerBytes))
  }

  function deliverContent(bytes: Buffer): void {
    if (mask) emit(writeHeader(bytes.length, mask, offset))
    emit(bytes)
    offset = (offset + bytes.length) % 4
    remaining -= bytes.length
  }

  return function write(received: Buffer): void {
    let rest = received
    while (rest.length > 0) {
      if (isPassthrough) {
        emit(rest)
        return
      }
      if (remaining > 0) {
        const piece = rest.subarray(0, Math.min(remaining, maxPieceBytes))
        rest = rest.subarray(piece.length)
        deliverContent(piece)
        continue
      }
      const bufferedBytes = header.length
      const bytes = bufferedBytes === 0 ? rest : Buffer.concat([header, rest.subarray(0, maxHeaderBytes)])
      const frame = readHeader(bytes)
      if (frame === 'short') {
        header = Buffer.from(bytes)
        return
      }
      header = Buffer.alloc(0)
      if (frame === 'other') {
        isPassthrough = true
        if (bufferedBytes > 0) emit(bytes.subarray(0, bufferedBytes))
        continue
      }
      beginFrame(frame, bytes)
      rest = rest.subarray(frame.headerBytes - bufferedBytes)
    }
  }
}

type DataListener = (this: Socket, bytes: Buffer) => void

/** Splits long binary frames of a connection that ws already listens to. */
export function splitBinaryFrames(connection: Socket, maxFrameBytes: number): void {
  const listeners = new Set(connection.listeners('data') as DataListener[])
  connection.removeAllListeners('data')
  const remove = connection.removeListener.bind(connection)
  // ws removes its listener when it stops reading; later bytes are discarded.
  connection.removeListener = (event: string | symbol, listener: (...args: never[]) => void) => {
    listeners.delete(listener as DataListener)
    return remove(event, listener as (...args: unknown[]) => void)
  }
  const deliver = (bytes: Buffer): void => {
    for (const listener of listeners) listener.call(connection, bytes)
  }
  connection.on('data', createBinaryFrameSplitter(maxFrameBytes, deliver))
}
