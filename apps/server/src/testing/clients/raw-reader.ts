import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

interface RawRequests {
  readonly path: string
  /** Headers of each request. The requests are pipelined, so that the first responses fill the network buffers. */
  readonly requests: readonly Readonly<Record<string, string>>[]
  /** Pause after each chunk that was read; without it, nothing is read. */
  readonly pauseMs?: number
}

/** Opens a connection that pipelines requests and reads slowly, or not at all until it is resumed. */
export function openRawReader(port: number, { path, requests, pauseMs }: RawRequests) {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.on('error', () => undefined)
  for (const headers of requests) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`)
  }
  let received = 0
  socket.on('data', (piece) => {
    received += piece.length
    if (pauseMs === undefined) return
    socket.pause()
    setTimeout(() => socket.resume(), pauseMs)
  })
  if (pauseMs === undefined) socket.pause()
  else socket.resume()
  return {
    socket,
    receivedBytes: (): number => received,
    closed: new Promise<void>((resolve) => socket.once('close', () => resolve())),
  }
}
