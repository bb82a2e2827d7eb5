export interface ByteRange {
  readonly start: number
  /** The last byte, itself included. */
  readonly end: number
}

export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'part'
      readonly range: ByteRange
      /** Asked for by its length from the end, as players do that look for an index. */
      readonly isTail: boolean
    }

/**
 * What a Range header asks for of so many bytes. Several ranges at once, and what is no range at all, are answered with
 * everything, as RFC 9110 allows; a range behind the end is answered with nothing.
 */
export function readRange(header: string | undefined, size: number): AskedRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return { kind: 'whole' }
  if (first === '') return readTail(Number(last), size)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return { kind: 'whole' }
  if (start >= size) return { kind: 'none' }
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return { kind: 'part', range: { start, end }, isTail: false }
}

function readTail(length: number, size: number): AskedRange {
  if (length === 0 || size === 0) return { kind: 'none' }
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 }, isTail: true }
}

interface ObjectSizes {
  readonly sealedBytes: number
  /** Sealed bytes of every object but the last. */
  readonly objectBytes: number
}

export interface ObjectPart {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The parts of objects that make up a range of a file. */
export function partsOf({ objectBytes }: ObjectSizes, { start, end }: ByteRange): ObjectPart[] {
  const first = Math.floor(start / objectBytes)
  const last = Math.floor(end / objectBytes)
  return Array.from({ length: last - first + 1 }, (_, step) => {
    const index = first + step
    const offset = index * objectBytes
    return { index, start: Math.max(start, offset) - offset, end: Math.min(end, offset + objectBytes - 1) - offset }
  })
}
