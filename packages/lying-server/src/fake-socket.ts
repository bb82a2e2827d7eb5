import { setImmediate } from '@sallyport/client/testing/set-immediate'
import type { Transcript } from './transcript.ts'

type Data = string | Uint8Array<ArrayBuffer>

/** The server end of a socket that a client opened. */
export interface ServerSocket {
  readonly url: URL
  send(data: Data): void
  close(): void
  onReceive: (data: Data) => void
  onClose: () => void
}

/**
 * Replaces `new WebSocket(url)` for a client. `accept` receives the server end. All traffic is recorded in the
 * transcript.
 */
export function createSocketOpener(transcript: Transcript, accept: (socket: ServerSocket) => void) {
  // A function declaration, so that it can be called both with and without `new`.
  return function openSocket(url: string): WebSocket {
    transcript.requested(url)
    let isOpen = false
    const defer = (work: () => void) => void setImmediate(work)
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
        defer(() => server.onReceive(data))
      },
      close: () => closeBoth(),
    }
    const server: ServerSocket = {
      url: new URL(url),
      onReceive: () => undefined,
      onClose: () => undefined,
      send(data) {
        transcript.sent(data)
        const event = { data: typeof data === 'string' ? data : data.slice().buffer }
        defer(() => isOpen && client.onmessage?.(event))
      },
      close: () => closeBoth(),
    }
    function closeBoth(): void {
      if (!isOpen) return
      isOpen = false
      defer(() => {
        client.onclose?.()
        server.onClose()
      })
    }
    defer(() => {
      isOpen = true
      client.onopen?.()
      accept(server)
    })
    return client as unknown as WebSocket
  }
}
