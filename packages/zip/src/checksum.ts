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

/** CRC-32 of two stretches of bytes taken as one, from what each of them has alone and how long the second is. */
export function joinChecksums(first: number, second: number, secondBytes: number): number {
  // Zeros behind the first stretch change its checksum linearly, so powers of one step do for any number of them.
  let step = byteOfZeros()
  let moved = first
  for (let left = secondBytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) moved = apply(step, moved)
    step = step.map((column) => apply(step, column))
  }
  return (moved ^ second) >>> 0
}

/** Column n is what a checksum of only bit n becomes when eight zero bits follow. */
function byteOfZeros(): number[] {
  return Array.from({ length: 32 }, (_, bit) => {
    let checksum = 1 << bit
    for (let shift = 0; shift < 8; shift += 1) {
      checksum = checksum & 1 ? (checksum >>> 1) ^ polynomial : checksum >>> 1
    }
    return checksum
  })
}

function apply(columns: readonly number[], checksum: number): number {
  let sum = 0
  for (let bit = 0; bit < 32; bit += 1) if ((checksum >>> bit) & 1) sum ^= columns[bit] as number
  return sum
}
