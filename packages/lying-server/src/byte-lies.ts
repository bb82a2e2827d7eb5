import fc from 'fast-check'
import type { Lie } from './lies.ts'
import type { SeenValues } from './seen-values.ts'

interface KnownBytes {
  readonly seen: SeenValues
  /** Sealed bytes of earlier uploads. */
  readonly blobs: readonly Uint8Array<ArrayBuffer>[]
}

/** Replaces a binary response with other bytes or other header values. */
export async function applyBinaryLie({ kind, seed }: Lie, honest: Response, known: KnownBytes): Promise<Response> {
  const pick = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed, numRuns: 1 })[0] as T
  const bytes = new Uint8Array(await honest.arrayBuffer())
  const headers = new Headers(honest.headers)
  const { status } = honest
  if (kind === 'rejection') return new Response(null, { status: 404 })
  if (kind === 'field' || kind === 'graft') {
    const [name, value] = pick(falseHeaders(headers, known.seen))
    headers.set(name, value)
    return new Response(bytes, { status, headers })
  }
  const body = pick(falseBytes(bytes, known.blobs))
  headers.set('content-length', String(body.length))
  return new Response(body, { status, headers })
}

/** `Content-Disposition` stays well-formed, so that the client parses the false name. */
function falseHeaders(headers: Headers, { strings }: SeenValues): fc.Arbitrary<readonly [string, string]> {
  const names = [...headers.keys()].filter((name) => name !== 'content-length')
  const values = [...strings.filter((text) => /^[\x21-\x7e]{1,2000}$/.test(text)), '0', '65536', '524288']
  return fc.tuple(fc.constantFrom(...names, 'x-chunk-size'), fc.constantFrom(...values)).map(([name, value]) => {
    const isName = name === 'content-disposition'
    return [name, isName ? `attachment; filename="${value}"` : value] as const
  })
}

function falseBytes(
  bytes: Uint8Array<ArrayBuffer>,
  blobs: readonly Uint8Array<ArrayBuffer>[],
): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const changed = fc.tuple(fc.nat(Math.max(0, bytes.length - 1)), fc.nat(7)).map(([index, bit]) => {
    const copy = bytes.slice()
    copy[index] = (copy[index] ?? 0) ^ (1 << bit)
    return copy
  })
  const cut = fc.nat(bytes.length).map((length) => bytes.slice(0, length))
  const other = blobs.filter(
    (blob) => blob.length !== bytes.length || blob.some((byte, index) => byte !== bytes[index]),
  )
  return fc.oneof(changed, cut, ...(other.length > 0 ? [fc.constantFrom(...other)] : []))
}
