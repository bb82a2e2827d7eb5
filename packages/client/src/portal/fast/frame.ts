import { type Bytes, concatBytes } from '@sallyport/crypto/portal'

/** Says which chunk a bulk frame carries; bound to the sealed bytes behind it. */
export interface FrameHeader {
  readonly file: number
  readonly chunk: number
  readonly attempt: number
}

export interface Frame extends FrameHeader {
  /** When it was sent: milliseconds of the sender's clock, cut to 32 bits, and not bound to anything. */
  readonly stamp: number
  readonly sealed: Bytes
}

const version = 1
const chunkType = 1
export const frameHeaderBytes = 16
const boundBytes = 12
/** Header, IV and tag. */
export const frameOverheadBytes = frameHeaderBytes + 28
const mostFiles = 0xffff

/** A frame for so many plain bytes, with its header written; the sealed bytes and the stamp are still to come. */
export function newFrame({ file, chunk, attempt }: FrameHeader, plainBytes: number): Bytes {
  if (file > mostFiles) throw new RangeError('Too many files for one transfer')
  const frame = new Uint8Array(frameOverheadBytes + plainBytes)
  const view = new DataView(frame.buffer)
  view.setUint8(0, version)
  view.setUint8(1, chunkType)
  view.setUint16(2, file)
  view.setUint32(4, chunk)
  view.setUint32(8, attempt)
  return frame
}

export const stampFrame = (frame: Bytes, now: number): void =>
  new DataView(frame.buffer, frame.byteOffset).setUint32(12, now >>> 0)

/** Null for what is no frame of this version. */
export function readFrame(bytes: Bytes): Frame | null {
  if (bytes.length < frameOverheadBytes || bytes[0] !== version || bytes[1] !== chunkType) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    file: view.getUint16(2),
    chunk: view.getUint32(4),
    attempt: view.getUint32(8),
    stamp: view.getUint32(12),
    sealed: bytes.subarray(frameHeaderBytes),
  }
}

/** What a chunk is bound to: its transfer, and its place in there. */
export const boundTo = (transfer: Bytes, header: Bytes): Bytes => concatBytes(transfer, header.subarray(0, boundBytes))
