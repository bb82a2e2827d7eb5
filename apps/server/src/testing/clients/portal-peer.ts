import type { ServerSignal } from '@sallyport/contract/portals'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** Longest pause between two events of a socket that is waited for. */
const deadlineMs = 50_000

interface Server {
  readonly url: string
}

type ServerSignalOf<Type extends ServerSignal['type']> = Extract<ServerSignal, { type: Type }>

/** Gets a ticket, as a visitor or with a bearer token. */
export async function portalTicket({ url }: Server, accessToken?: string): Promise<string> {
  const headers = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${url}/api/portals/tickets`, { method: 'POST', headers })
  return ((await answer.json()) as { ticket: string }).ticket
}

/** Opens a signalling socket that uses only messages of the specification. Received messages are buffered. */
export async function openPortalPeer(server: Server, session?: string, headers: Record<string, string> = {}) {
  const ticket = session ?? (await portalTicket(server))
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/webrtc-signal?session=${ticket}`, {
    origin: server.url,
    headers,
  })
  const received: ServerSignal[] = []
  const waiters: (() => void)[] = []
  const wake = () => {
    for (const resume of waiters.splice(0)) resume()
  }
  const nextEvent = async (awaited: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiters.push(resolve)
    const timer = setTimeout(() => reject(new Error(`Timed out waiting for ${awaited}`)), deadlineMs)
    await promise.finally(() => clearTimeout(timer))
  }
  let closed: number | null = null
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)))
    wake()
  })
  socket.on('close', (code) => {
    closed = code
    wake()
  })
  socket.on('error', wake)
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))))
  })

  const peer = {
    socket,
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** Waits for the next message of a type. Other messages stay buffered. */
    async waitFor<Type extends ServerSignal['type']>(type: Type): Promise<ServerSignalOf<Type>> {
      for (;;) {
        const index = received.findIndex((message) => message.type === type)
        if (index >= 0) return received.splice(index, 1)[0] as ServerSignalOf<Type>
        if (closed !== null) throw new Error(`closed with ${closed} before ${type}`)
        await nextEvent(`a message of type ${type}`)
      }
    },
    /** Makes a round trip to the server and returns all buffered messages. */
    async drain(): Promise<ServerSignal[]> {
      peer.send({ type: 'px-locate', prefix: 'x' })
      await peer.waitFor('room-error')
      return received.splice(0)
    },
    async closeCode(): Promise<number> {
      while (closed === null) await nextEvent('the server to close the socket')
      return closed
    },
  }
  return peer
}

export type PortalPeer = Awaited<ReturnType<typeof openPortalPeer>>
