const polynomial = 0xedb88320
/** The number of bytes per step, with one table for each. */
const bytesPerStep = 8
const lookupTables = createTables()

/** CRC-32 of bytes, or of earlier bytes followed by these. */
export function checksumOf(bytes: Uint8Array, initial = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % bytesPerStep)
  let checksum = ~initial
  let offset = 0
  for (; offset < whole; offset += bytesPerStep) {
    const low = checksum ^ view.getInt32(offset, true)
    const high = view.getInt32(offset + 4, true)
    checksum =
      lookup(7, low) ^
      lookup(6, low >>> 8) ^
      lookup(5, low >>> 16) ^
      lookup(4, low >>> 24) ^
      lookup(3, high) ^
      lookup(2, high >>> 8) ^
      lookup(1, high >>> 16) ^
      lookup(0, high >>> 24)
  }
  for (; offset < bytes.length; offset += 1) checksum = lookup(0, checksum ^ view.getUint8(offset)) ^ (checksum >>> 8)
  return ~checksum >>> 0
}

function lookup(table: number, byte: number): number {
  return lookupTables[(table << 8) | (byte & 0xff)] as number
}

/** Table n contains the CRC of a byte that is followed by n zero bytes. */
function createTables(): Int32Array {
  const table = new Int32Array(bytesPerStep * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let checksum = byte
    for (let bit = 0; bit < 8; bit += 1) checksum = checksum & 1 ? (checksum >>> 1) ^ polynomial : checksum >>> 1
    table[byte] = checksum
  }
  for (let index = 256; index < table.length; index += 1) {
    const previous = table[index - 256] as number
    table[index] = (table[previous & 0xff] as number) ^ (previous >>> 8)
  }
  return table
}

/** Combines the CRC-32 of two parts into that of the whole, given the length of the second part. */
export function combineChecksums(first: number, second: number, secondBytes: number): number {
  // Zeros after the first part change its checksum linearly, so repeated squaring of one step covers any number of
  // them.
  let matrix = zeroByteMatrix()
  let shifted = first
  for (let remaining = secondBytes; remaining > 0; remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) shifted = multiplyMatrix(matrix, shifted)
    matrix = matrix.map((column) => multiplyMatrix(matrix, column))
  }
  return (shifted ^ second) >>> 0
}

/** Column n is the checksum of bit n alone after eight zero bits. */
function zeroByteMatrix(): number[] {
  return Array.from({ length: 32 }, (_, bit) => {
    let checksum = 1 << bit
    for (let shift = 0; shift < 8; shift += 1) {
      checksum = checksum & 1 ? (checksum >>> 1) ^ polynomial : checksum >>> 1
    }
    return checksum
  })
}

function multiplyMatrix(columns: readonly number[], checksum: number): number {
  let sum = 0
  for (let bit = 0; bit < 32; bit += 1) if ((checksum >>> bit) & 1) sum ^= columns[bit] as number
  return sum
}
