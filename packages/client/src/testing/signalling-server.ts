import type { ClientSignal } from '@sallyport/contract/portals'
import type { Call } from '../call.ts'

/** The server end of a test's signalling socket. */
export interface ServerEnd {
  send(message: object): void
}

/** Handles each message of a device. */
export type MessageHandler = (message: ClientSignal, server: ServerEnd) => void | Promise<void>

/**
 * A signalling server that a test scripts. It exchanges the same text messages as a real one, so that everything is
 * validated by the schemas of the contract.
 */
export function createSignallingServer(onMessage: MessageHandler) {
  const received: ClientSignal[] = []

  function openSocket(): WebSocket {
    const server: ServerEnd = {
      send: (message) => void setImmediate(() => socket.onmessage?.({ data: JSON.stringify(message) })),
    }
    const socket: { onopen?: () => void; onmessage?: (event: { data: string }) => void; onclose?: () => void } & {
      send(text: string): void
      close(): void
    } = {
      send(text) {
        const message = JSON.parse(text) as ClientSignal
        received.push(message)
        void onMessage(message, server)
      },
      close: () => void setImmediate(() => socket.onclose?.()),
    }
    setImmediate(() => socket.onopen?.())
    return socket as unknown as WebSocket
  }

  const call = (async () => ({ ticket: 'ticket' })) as unknown as Call
  return { received, deps: { call, origin: 'https://files.example', openSocket } }
}
