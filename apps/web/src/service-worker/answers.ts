import { safeFileName } from '@sallyport/crypto'

/** Whatever the bytes are, the browser saves them and shows nothing of them as a page. */
const guarded = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

export function answerDownload(stream: ReadableStream<Uint8Array>, bytes: number, name: string): Response {
  return new Response(stream, {
    headers: {
      ...guarded,
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeHeader(safeFileName(name))}`,
    },
  })
}

export interface PlainRange {
  readonly start: number
  /** The last byte, itself included. */
  readonly end: number
}

interface RangeAnswer {
  readonly stream: ReadableStream<Uint8Array>
  readonly range: PlainRange | null
  readonly bytes: number
  readonly mediaType: string
}

export function answerPreview({ stream, range, bytes, mediaType }: RangeAnswer): Response {
  const length = range ? range.end - range.start + 1 : bytes
  return new Response(stream, {
    status: range ? 206 : 200,
    headers: {
      ...guarded,
      'Content-Type': mediaType,
      'Content-Length': String(length),
      'Content-Disposition': 'attachment',
      'Accept-Ranges': 'bytes',
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
    },
  })
}

/** Said to whoever comes with handles that are used up or were never given out; nothing of it goes to the server. */
export const answerUnknown = (): Response =>
  new Response('This download is no longer open in this browser.', {
    status: 410,
    headers: { ...guarded, 'Content-Type': 'text/plain; charset=utf-8' },
  })

export const answerNoSuchRange = (bytes: number): Response =>
  new Response(null, { status: 416, headers: { ...guarded, 'Content-Range': `bytes */${bytes}` } })

/** A single range of so many bytes; null for all of them, and `none` for one behind the end. */
export function readPlainRange(header: string | null, bytes: number): PlainRange | null | 'none' {
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

/** Percent-encodes what a header's extended value does not take as it is. */
const encodeHeader = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
