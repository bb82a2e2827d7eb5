/** Byte i is (7·i + 13·⌊i / 256⌋) mod 256. */
export function largeFilePlain(length: number): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) plain[index] = 7 * index + 13 * (index >>> 8)
  return plain
}

/** The IV of record i is i + 1 as a number of 96 bits. */
export function largeFileIv(index: number): Uint8Array<ArrayBuffer> {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setUint32(8, index + 1)
  return iv
}
