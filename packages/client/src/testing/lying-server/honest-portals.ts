import { PassedOn, relayPath } from '@sallyport/contract/portals'
import { safeParse } from 'zod/v4/core'
import type { ServerSocket } from './fake-socket.ts'
import { readSignal, type ServerSignal } from './signals.ts'

type Send = (to: ServerSocket, message: ServerSignal) => void
type Frame = Parameters<ServerSocket['send']>[0]

interface HonestPortalsInput {
  /** Sends a message, or what is said in its place. */
  readonly send: Send
  /** Passes a frame of the relay on, or what goes in its place. */
  readonly pass: (to: ServerSocket, frame: Frame) => void
}

/** Where two devices meet and what carries their bytes, in memory, as an honest server does it. */
export function servePortals({ send, pass }: HonestPortalsInput): (socket: ServerSocket) => void {
  const devices: Partial<Record<'creator' | 'joiner', ServerSocket>> = {}
  const relayed: { readonly socket: ServerSocket; readonly waiting: Frame[] }[] = []
  let n = ''

  function acceptRelay(socket: ServerSocket): void {
    const isOfTheSame = (one: ServerSocket) => one !== socket && one.url.href === socket.url.href
    relayed.push({ socket, waiting: [] })
    passWaiting()
    socket.onReceive = (frame) => {
      relayed.find((one) => one.socket === socket)?.waiting.push(frame)
      passWaiting()
    }
    socket.onClose = () => {
      for (const one of relayed.splice(0)) one.socket.close()
    }

    function passWaiting(): void {
      const other = relayed.find((one) => isOfTheSame(one.socket))
      const own = relayed.find((one) => one.socket === socket)
      if (!other || !own) return
      for (const frame of own.waiting.splice(0)) pass(other.socket, frame)
      for (const frame of other.waiting.splice(0)) pass(own.socket, frame)
    }
  }

  return (socket) => {
    if (socket.url.pathname === relayPath) return acceptRelay(socket)
    socket.onReceive = (data) => {
      const said = readSignal(data)
      const isCreator = said.type === 'create-room' || socket === devices.creator
      const other = isCreator ? devices.joiner : devices.creator
      switch (said.type) {
        case 'create-room':
          devices.creator = socket
          n = said.px?.n ?? ''
          return send(socket, {
            type: 'room-created',
            roomCode: '42',
            peerId: 'c',
            px: { v: 2, digits: 6, resume: 'c' },
          })
        case 'px-locate':
          return send(socket, { type: 'px-located', result: 'v2', n })
        case 'join-room':
          devices.joiner = socket
          send(socket, { type: 'room-joined', peerId: 'j', px: { resume: 'j' } })
          if (!devices.creator) return
          return send(devices.creator, {
            type: 'peer-joined',
            deviceName: said.deviceName,
            peerId: 'j',
            ...(said.px && { px: { mode: said.px.mode, y: said.px.y, ad: said.px.ad } }),
          })
        case 'px-ice':
          return send(socket, { type: 'px-ice', iceServers: [] })
        case 'px-relay':
          for (const one of Object.values(devices)) send(one, { type: 'px-relay-ready', token: 'relay-token' })
          return
        case 'px-rejoin':
          devices[said.peerId === 'c' ? 'creator' : 'joiner'] = socket
          return send(socket, { type: 'px-rejoined', peerId: said.peerId, isOtherHere: other !== undefined })
        case 'px-fail':
          return other && send(other, said)
        case 'px-leave':
          return other && send(other, { type: 'peer-left' })
        default: {
          const passed = safeParse(PassedOn, said)
          if (other && passed.success) send(other, passed.data)
        }
      }
    }
  }
}
