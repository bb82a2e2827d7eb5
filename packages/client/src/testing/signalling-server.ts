import type { SignalSent } from '@sallyport/contract/portals'
import type { Call } from '../call.ts'

/** What a test says as the server. */
export interface ServerSide {
  send(message: object): void
}

/** Decides what a device gets to hear after it has said something. */
export type Answer = (message: SignalSent, server: ServerSide) => void | Promise<void>

/**
 * A signalling server that is whatever a test makes of it. It speaks over the same text messages as a real one, so that
 * everything passes the schemas of the contract.
 */
export function createSignallingServer(answer: Answer) {
  const received: SignalSent[] = []

  function openSocket(): WebSocket {
    const server: ServerSide = {
      send: (message) => void setImmediate(() => socket.onmessage?.({ data: JSON.stringify(message) })),
    }
    const socket: { onopen?: () => void; onmessage?: (event: { data: string }) => void; onclose?: () => void } & {
      send(text: string): void
      close(): void
    } = {
      send(text) {
        const message = JSON.parse(text) as SignalSent
        received.push(message)
        void answer(message, server)
      },
      close: () => void setImmediate(() => socket.onclose?.()),
    }
    setImmediate(() => socket.onopen?.())
    return socket as unknown as WebSocket
  }

  const call = (async () => ({ ticket: 'ticket' })) as unknown as Call
  return { received, parts: { call, origin: 'https://files.example', openSocket } }
}
