import { connect } from 'node:net'

/** A request written by hand, so that it may break every rule there is. */
export interface RawRequest {
  readonly method: string
  /** Path and query as they go on the wire. */
  readonly target: string
  /** In this order; a name may come twice, and nothing is escaped. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const answerWithinMs = 8000

const allSentAfterMs = 50

/** Whether a request may promise more of a body than it brings. */
export const isOpenEnded = ({ headers, body }: RawRequest): boolean =>
  headers.some(
    ([name, value]) =>
      /^transfer-encoding$/i.test(name) || (/^content-length$/i.test(name) && value !== String(body.length)),
  )

/**
 * Sends the bytes over a connection of their own; null when the server hung up without an answer. The sender of an
 * open-ended request soon says that this was all, which the server may take for going away.
 */
export function exchange(port: number, request: RawRequest): Promise<RawAnswer | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const pieces: Buffer[] = []
    socket.setTimeout(answerWithinMs, () => {
      socket.destroy()
      reject(new Error(`No answer to ${request.method} ${request.target.slice(0, 200)}`))
    })
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    // A server that has answered may close before it has read everything; what it said still counts.
    socket.on('error', () => undefined)
    const allSent = isOpenEnded(request) ? setTimeout(() => socket.end(), allSentAfterMs) : undefined
    socket.on('close', () => {
      clearTimeout(allSent)
      resolve(readAnswer(Buffer.concat(pieces)))
    })
    socket.write(print(request))
  })
}

/** The bytes of a request; line breaks inside of values are sent as they are. */
function print({ method, target, headers, body }: RawRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), body])
}

function readAnswer(bytes: Buffer): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  if (statusLine.startsWith('HTTP/1.1 100')) return readAnswer(bytes.subarray(end + 4))
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
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (end < 0 || !(length > 0)) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}
