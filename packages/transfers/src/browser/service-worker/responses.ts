import { safeFileName } from '@sallyport/crypto'

/** Whatever the content is, the browser must never render it as a page. */
const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

export function downloadResponse(stream: ReadableStream<Uint8Array>, bytes: number, name: string): Response {
  return new Response(stream, {
    headers: {
      ...securityHeaders,
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeHeader(safeFileName(name))}`,
    },
  })
}

export interface ByteRange {
  readonly start: number
  /** Index of the last byte, inclusive. */
  readonly end: number
}

interface PreviewResponseInput {
  readonly stream: ReadableStream<Uint8Array>
  readonly range: ByteRange | null
  readonly bytes: number
  readonly mediaType: string
}

export function previewResponse({ stream, range, bytes, mediaType }: PreviewResponseInput): Response {
  const length = range ? range.end - range.start + 1 : bytes
  return new Response(stream, {
    status: range ? 206 : 200,
    headers: {
      ...securityHeaders,
      'Content-Type': mediaType,
      'Content-Length': String(length),
      'Content-Disposition': 'attachment',
      'Accept-Ranges': 'bytes',
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
    },
  })
}

/** The response for handles that are used up or unknown. The request is never forwarded to the server. */
export const unknownHandlesResponse = (): Response =>
  new Response('This download is no longer open in this browser.', {
    status: 410,
    headers: { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
  })

export const rangeNotSatisfiableResponse = (bytes: number): Response =>
  new Response(null, { status: 416, headers: { ...securityHeaders, 'Content-Range': `bytes */${bytes}` } })

/** Parses a single byte range; null for the whole content, `none` for a range beyond the end. */
export function parseByteRange(header: string | null, bytes: number): ByteRange | null | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= bytes) return 'none'
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}

/** Percent-encodes a text as an extended header value (RFC 8187). */
const encodeHeader = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
