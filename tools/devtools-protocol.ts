import { WebSocket } from 'ws'

export type ProtocolValues = Readonly<Record<string, unknown>>

/** A connection that speaks the DevTools protocol, to a browser or to a Node process. */
export interface DevTools {
  /** `sessionId` names the target in a browser. */
  send(method: string, parameters?: ProtocolValues, sessionId?: string): Promise<ProtocolValues>
  /** Calls `listen` for each event; the returned function stops that. */
  on(method: string, listen: (values: ProtocolValues) => void): () => void
  close(): void
}

/** Connects to the WebSocket of a debugger. When the connection closes, pending calls reject. */
export async function connectDevTools(address: string): Promise<DevTools> {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 0 })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const pending = new Map<number, { resolve: (result: ProtocolValues) => void; reject: (reason: Error) => void }>()
  const listeners = new Map<string, Set<(values: ProtocolValues) => void>>()
  let lastId = 0

  socket.on('message', (text) => {
    const { id, result, error, method, params } = JSON.parse(String(text))
    if (method) for (const listen of listeners.get(method) ?? []) listen(params)
    const pendingCall = pending.get(id)
    pending.delete(id)
    error ? pendingCall?.reject(new Error(error.message)) : pendingCall?.resolve(result)
  })
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(new Error('The DevTools connection was closed'))
  })

  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject })
        socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }))
      }),
    on(method, listen) {
      const callbacks = listeners.get(method) ?? new Set()
      listeners.set(method, callbacks.add(listen))
      return () => callbacks.delete(listen)
    },
    close: () => socket.close(),
  }
}
