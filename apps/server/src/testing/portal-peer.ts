import type { SignalTold } from '@sallyport/contract/portals'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

interface Server {
  readonly url: string
}

type Told<Type extends SignalTold['type']> = Extract<SignalTold, { type: Type }>

/** Gets a ticket as a visitor does, or with a bearer token. */
export async function portalTicket({ url }: Server, accessToken?: string): Promise<string> {
  const headers = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${url}/api/portals/tickets`, { method: 'POST', headers })
  return ((await answer.json()) as { ticket: string }).ticket
}

/** A device at the signalling socket, in the words of the specification alone; what it hears is kept until it is taken. */
export async function openPortalPeer(server: Server, session?: string, headers: Record<string, string> = {}) {
  const ticket = session ?? (await portalTicket(server))
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/webrtc-signal?session=${ticket}`, {
    origin: server.url,
    headers,
  })
  const heard: SignalTold[] = []
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const look of waiting.splice(0)) look()
  }
  let closed: number | null = null
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)))
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
    say: (message: object) => socket.send(JSON.stringify(message)),
    /** The next message of a type, whenever it comes; what came before it stays. */
    async take<Type extends SignalTold['type']>(type: Type): Promise<Told<Type>> {
      for (;;) {
        const index = heard.findIndex((message) => message.type === type)
        if (index >= 0) return heard.splice(index, 1)[0] as Told<Type>
        if (closed !== null) throw new Error(`closed with ${closed} before ${type}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    /** All that was heard up to now and not taken, once the server has answered something said after it. */
    async settled(): Promise<SignalTold[]> {
      peer.say({ type: 'px-locate', prefix: 'x' })
      await peer.take('room-error')
      return heard.splice(0)
    },
    async closeCode(): Promise<number> {
      while (closed === null) await new Promise<void>((resolve) => waiting.push(resolve))
      return closed
    },
  }
  return peer
}

export type PortalPeer = Awaited<ReturnType<typeof openPortalPeer>>
