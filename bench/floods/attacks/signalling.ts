import { portals, signallingPath } from '@sallyport/contract/portals'
import type { WebSocket } from 'ws'
import { type HttpClient, jsonOf } from '../http-client.ts'

interface Received {
  readonly roomCode: string
  readonly token: string
}

/** Opens a signalling socket as a visitor without an account does. */
export async function openSignalling(client: HttpClient): Promise<WebSocket> {
  const { ticket } = jsonOf<{ ticket: string }>(await client.send('POST', portals.ticket.path))
  const socket = await client.openSocket(`${signallingPath}?session=${ticket}`)
  socket.on('error', () => socket.terminate())
  return socket
}

/** Resolves to the next message of a type; rejects where the server refuses or closes. */
export const nextMessage = (socket: WebSocket, type: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === type) resolve(message)
      if (message.type === 'room-error') reject(new Error(message.error))
    })
    socket.once('close', (code) => reject(new Error(`closed with ${code}`)))
  })
