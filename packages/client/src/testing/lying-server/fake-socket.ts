import { setImmediate } from '../next-turn.ts'
import type { Transcript } from './transcript.ts'

type Data = string | Uint8Array<ArrayBuffer>

/** The server's end of a socket that a client has opened. */
export interface ServerSocket {
  readonly url: URL
  send(data: Data): void
  close(): void
  onReceive: (data: Data) => void
  onClose: () => void
}

/**
 * What a client gets in place of `new WebSocket(url)`. `accept` is given the server's end; everything that passes is
 * written down.
 */
export function createSocketOpener(transcript: Transcript, accept: (socket: ServerSocket) => void) {
  // A function of its own kind, so that it serves `new WebSocket(url)` as well as a call.
  return function openSocket(address: string): WebSocket {
    transcript.requested(address)
    let isOpen = false
    const later = (work: () => void) => void setImmediate(work)
    const client = {
      binaryType: 'arraybuffer',
      bufferedAmount: 0,
      OPEN: 1,
      get readyState() {
        return isOpen ? 1 : 3
      },
      onopen: null as null | (() => void),
      onmessage: null as null | ((event: { data: unknown }) => void),
      onclose: null as null | (() => void),
      send(data: Data) {
        if (!isOpen) return
        transcript.received(data)
        later(() => server.onReceive(data))
      },
      close: () => end(),
    }
    const server: ServerSocket = {
      url: new URL(address),
      onReceive: () => undefined,
      onClose: () => undefined,
      send(data) {
        transcript.chose(data)
        const event = { data: typeof data === 'string' ? data : data.slice().buffer }
        later(() => isOpen && client.onmessage?.(event))
      },
      close: () => end(),
    }
    function end(): void {
      if (!isOpen) return
      isOpen = false
      later(() => {
        client.onclose?.()
        server.onClose()
      })
    }
    later(() => {
      isOpen = true
      client.onopen?.()
      accept(server)
    })
    return client as unknown as WebSocket
  }
}
