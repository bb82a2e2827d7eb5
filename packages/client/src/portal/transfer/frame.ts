import { type Bytes, concatBytes } from '@sallyport/crypto/portal'

/** Identifies the chunk of a bulk frame; part of the AAD of its sealed bytes. */
export interface FrameHeader {
  readonly file: number
  readonly chunk: number
  readonly attempt: number
}

export interface Frame extends FrameHeader {
  /** Send time in milliseconds of the sender's clock, modulo 2^32. Not authenticated. */
  readonly stamp: number
  readonly sealed: Bytes
}

const version = 1
const chunkType = 1
export const frameHeaderBytes = 16
const aadHeaderBytes = 12
/** Length of header, IV and tag. */
export const frameOverheadBytes = frameHeaderBytes + 28
const maxFiles = 0xffff

/** Allocates a frame for `plainBytes` and writes its header; the caller fills in the sealed bytes and the stamp. */
export function allocateFrame({ file, chunk, attempt }: FrameHeader, plainBytes: number): Bytes {
  if (file > maxFiles) throw new RangeError('Too many files for one transfer')
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

/** Null for anything but a frame of this version. */
export function parseFrame(bytes: Bytes): Frame | null {
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

/** The AAD of a chunk: its transfer id and the header up to the stamp. */
export const chunkAad = (transfer: Bytes, header: Bytes): Bytes =>
  concatBytes(transfer, header.subarray(0, aadHeaderBytes))
