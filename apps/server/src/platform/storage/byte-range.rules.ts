export interface ByteRange {
  readonly start: number
  /** Index of the last byte, inclusive. */
  readonly end: number
}

export type RequestedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'part'
      readonly range: ByteRange
      /** A suffix range, as media players send it to find an index. */
      readonly isTail: boolean
    }

/**
 * Parses a Range header for a body of `size` bytes. Multiple ranges and invalid headers get the whole body, as RFC 9110
 * allows; a range beyond the end gets nothing.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return { kind: 'whole' }
  if (first === '') return parseSuffixRange(Number(last), size)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return { kind: 'whole' }
  if (start >= size) return { kind: 'none' }
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return { kind: 'part', range: { start, end }, isTail: false }
}

function parseSuffixRange(length: number, size: number): RequestedRange {
  if (length === 0 || size === 0) return { kind: 'none' }
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 }, isTail: true }
}

interface ObjectSizes {
  readonly sealedBytes: number
  /** Sealed size of every object but the last. */
  readonly objectBytes: number
}

export interface ObjectPart {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The parts of objects that make up a byte range of a file. */
export function toObjectParts({ objectBytes }: ObjectSizes, { start, end }: ByteRange): ObjectPart[] {
  const first = Math.floor(start / objectBytes)
  const last = Math.floor(end / objectBytes)
  return Array.from({ length: last - first + 1 }, (_, offsetIndex) => {
    const index = first + offsetIndex
    const offset = index * objectBytes
    return { index, start: Math.max(start, offset) - offset, end: Math.min(end, offset + objectBytes - 1) - offset }
  })
}
