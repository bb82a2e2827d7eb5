import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type ErrorBody, errorCatalogue } from '@sallyport/contract/errors'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { answerPolicy } from './security-headers.ts'

const lingerMs = 2000

/** Answers what cannot be read as a request at all like any other refusal; the connection ends with it. */
export function answerBrokenRequest(headers: Readonly<Record<string, string>>) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST'
    socket.end(print(code, headers))
    // Whoever does not hang up then would keep the connection for ever.
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/** An expectation we do not know is no reason to refuse: the request is answered as if it had none. */
export function overlookExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function print(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const { status, text } = errorCatalogue[code]
  const body = JSON.stringify({ success: false, error: text, code } satisfies ErrorBody)
  const all = {
    ...headers,
    'X-Request-Id': randomUUID(),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': answerPolicy,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
