import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../engines/databases.ts'
import { startFileServer } from '../servers/file-server.ts'

export const slowConnections = 500
/** The shortened time that a server under test allows for headers. */
export const headersMs = 3000
/** Source addresses of the slow connections, because connections per address are limited. */
const addresses = 5
const deadlineMs = 50_000

export function shortenHeaderTimeout(server: Server): void {
  server.headersTimeout = headersMs
  Reflect.set(server, 'connectionsCheckingInterval', headersMs / 4)
}

/** Starts a server with a short header timeout and opens the slow connections. */
export async function openSlowConnections(stage: Stage) {
  const { app, listen } = await startFileServer(stage)
  const { server } = app
  const checkMs: number = Reflect.get(server, 'connectionsCheckingInterval')
  const defaults = { headersMs: server.headersTimeout, checkMs }
  shortenHeaderTimeout(server)
  const port = await listen()
  const sockets = await Promise.all(
    Array.from({ length: slowConnections }, (_, index) => open(port, `127.3.0.${1 + (index % addresses)}`)),
  )
  return { port, defaults, sockets, close: () => app.close() }
}

export const open = (port: number, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Sends one header line after the other and resolves to the response when the connection is closed. */
export async function sendHeadersSlowly(socket: Socket): Promise<string> {
  let answer = ''
  let isClosed = false
  socket.on('error', () => undefined)
  socket.on('data', (piece: Buffer) => {
    answer += piece.toString()
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  const deadline = performance.now() + deadlineMs
  for (let line = 0; !isClosed; line += 1) {
    if (performance.now() > deadline) throw new Error('Timed out waiting for the server to close a slow connection')
    if (socket.writable) socket.write(`X-Drip-${line}: a\r\n`)
    await pause(100)
  }
  return answer
}
