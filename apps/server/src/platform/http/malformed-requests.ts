import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type ErrorBody, errorCatalogue } from '@sallyport/contract/errors'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { responsePolicy } from './security-headers.ts'

const closeTimeoutMs = 2000

/** Answers malformed requests with a regular error body and closes the connection. */
export function createClientErrorHandler(headers: Readonly<Record<string, string>>) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST'
    socket.end(formatResponse(code, headers))
    // A client that keeps its side open would otherwise hold the connection forever.
    const timer = setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/** Ignores unknown Expect headers instead of rejecting the request. */
export function ignoreExpectHeader({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function formatResponse(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const { status, text } = errorCatalogue[code]
  const body = JSON.stringify({ success: false, error: text, code } satisfies ErrorBody)
  const all = {
    ...headers,
    'X-Request-Id': randomUUID(),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': responsePolicy,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
