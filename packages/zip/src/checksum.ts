const polynomial = 0xedb88320
/** Bytes that are taken at once, with a table for each. */
const stride = 8
const tables = makeTables()

/** CRC-32 of bytes, or of what went before them and of them. */
export function checksumOf(bytes: Uint8Array, before = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % stride)
  let checksum = ~before
  let at = 0
  for (; at < whole; at += stride) {
    const low = checksum ^ view.getInt32(at, true)
    const high = view.getInt32(at + 4, true)
    checksum =
      look(7, low) ^
      look(6, low >>> 8) ^
      look(5, low >>> 16) ^
      look(4, low >>> 24) ^
      look(3, high) ^
      look(2, high >>> 8) ^
      look(1, high >>> 16) ^
      look(0, high >>> 24)
  }
  for (; at < bytes.length; at += 1) checksum = look(0, checksum ^ view.getUint8(at)) ^ (checksum >>> 8)
  return ~checksum >>> 0
}

function look(table: number, byte: number): number {
  return tables[(table << 8) | (byte & 0xff)] as number
}

/** Table n holds what a byte becomes once n zeros have followed it. */
function makeTables(): Int32Array {
  const made = new Int32Array(stride * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let checksum = byte
    for (let bit = 0; bit < 8; bit += 1) checksum = checksum & 1 ? (checksum >>> 1) ^ polynomial : checksum >>> 1
    made[byte] = checksum
  }
  for (let index = 256; index < made.length; index += 1) {
    const before = made[index - 256] as number
    made[index] = (made[before & 0xff] as number) ^ (before >>> 8)
  }
  return made
}
