import { type Bytes, concatBytes } from '@sallyport/crypto/portal'

/** Says which chunk a bulk frame carries. All but the stamp is bound to the sealed bytes behind it. */
export interface FrameHeader {
  readonly file: number
  readonly chunk: number
  readonly attempt: number
  /** Milliseconds of the sender's clock, cut to 32 bits. */
  readonly stamp: number
}

export interface Frame extends FrameHeader {
  readonly sealed: Bytes
}

const version = 1
const chunkType = 1
export const frameHeaderBytes = 16
const boundBytes = 12
/** Header, IV and tag. */
export const frameOverheadBytes = frameHeaderBytes + 28
const mostFiles = 0xffff

export function writeHeader({ file, chunk, attempt, stamp }: FrameHeader): Bytes {
  if (file > mostFiles) throw new RangeError('Too many files for one transfer')
  const header = new Uint8Array(frameHeaderBytes)
  const view = new DataView(header.buffer)
  view.setUint8(0, version)
  view.setUint8(1, chunkType)
  view.setUint16(2, file)
  view.setUint32(4, chunk)
  view.setUint32(8, attempt)
  view.setUint32(12, stamp >>> 0)
  return header
}

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
