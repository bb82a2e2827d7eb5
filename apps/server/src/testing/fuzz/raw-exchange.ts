import { connect } from 'node:net'

/** A raw HTTP request, which can violate the protocol. */
export interface RawRequest {
  readonly method: string
  /** Path and query as sent on the wire. */
  readonly target: string
  /** Sent in this order; names can be repeated, and nothing is escaped. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const responseTimeoutMs = 8000

const halfCloseAfterMs = 50

/** Whether a request can announce a longer body than it sends. */
export const isOpenEnded = ({ headers, body }: RawRequest): boolean =>
  headers.some(
    ([name, value]) =>
      /^transfer-encoding$/i.test(name) || (/^content-length$/i.test(name) && value !== String(body.length)),
  )

/**
 * Sends the request over its own connection. Resolves with null if the server closed the connection without a response.
 * After an open-ended request the client soon half-closes the connection.
 */
export function exchange(port: number, request: RawRequest): Promise<RawResponse | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const pieces: Buffer[] = []
    socket.setTimeout(responseTimeoutMs, () => {
      socket.destroy()
      reject(new Error(`No response to ${request.method} ${request.target.slice(0, 200)}`))
    })
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    // The server can respond and close before it has read everything; its response still counts.
    socket.on('error', () => undefined)
    const halfCloseTimer = isOpenEnded(request) ? setTimeout(() => socket.end(), halfCloseAfterMs) : undefined
    socket.on('close', () => {
      clearTimeout(halfCloseTimer)
      resolve(parseResponse(Buffer.concat(pieces)))
    })
    socket.write(formatRequest(request))
  })
}

/** Serializes a request; line breaks in values are sent as they are. */
function formatRequest({ method, target, headers, body }: RawRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), body])
}

function parseResponse(bytes: Buffer): RawResponse | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  if (statusLine.startsWith('HTTP/1.1 100')) return parseResponse(bytes.subarray(end + 4))
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const rest = bytes.subarray(end + 4)
  const body = headers.get('transfer-encoding') === 'chunked' ? joinChunks(rest) : rest
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8') }
}

function joinChunks(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let offset = 0; ; ) {
    const end = bytes.indexOf('\r\n', offset)
    const length = Number.parseInt(bytes.subarray(offset, end).toString('latin1'), 16)
    if (end < 0 || !(length > 0)) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(end + 2, end + 2 + length))
    offset = end + 2 + length + 2
  }
}
