import { RelayedSignal, relayPath } from '@sallyport/contract/portals'
import { safeParse } from 'zod/v4/core'
import type { ServerSocket } from './fake-socket.ts'
import { type AnyServerSignal, parseSignal } from './signals.ts'

type Send = (to: ServerSocket, message: AnyServerSignal) => void
type Frame = Parameters<ServerSocket['send']>[0]

interface HonestPortalsInput {
  /** Sends a message or its replacement. */
  readonly send: Send
  /** Forwards a frame of the relay or its replacement. */
  readonly forward: (to: ServerSocket, frame: Frame) => void
}

/** The in-memory signalling and relay of an honest server. */
export function servePortals({ send, forward }: HonestPortalsInput): (socket: ServerSocket) => void {
  const devices: Partial<Record<'creator' | 'joiner', ServerSocket>> = {}
  const relaySockets: { readonly socket: ServerSocket; readonly queued: Frame[] }[] = []
  let n = ''

  function acceptRelay(socket: ServerSocket): void {
    const isSameRelay = (one: ServerSocket) => one !== socket && one.url.href === socket.url.href
    relaySockets.push({ socket, queued: [] })
    forwardQueued()
    socket.onReceive = (frame) => {
      relaySockets.find((one) => one.socket === socket)?.queued.push(frame)
      forwardQueued()
    }
    socket.onClose = () => {
      for (const one of relaySockets.splice(0)) one.socket.close()
    }

    function forwardQueued(): void {
      const other = relaySockets.find((one) => isSameRelay(one.socket))
      const own = relaySockets.find((one) => one.socket === socket)
      if (!other || !own) return
      for (const frame of own.queued.splice(0)) forward(other.socket, frame)
      for (const frame of other.queued.splice(0)) forward(own.socket, frame)
    }
  }

  return (socket) => {
    if (socket.url.pathname === relayPath) return acceptRelay(socket)
    socket.onReceive = (data) => {
      const message = parseSignal(data)
      const isCreator = message.type === 'create-room' || socket === devices.creator
      const other = isCreator ? devices.joiner : devices.creator
      switch (message.type) {
        case 'create-room':
          devices.creator = socket
          n = message.px?.n ?? ''
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
            deviceName: message.deviceName,
            peerId: 'j',
            ...(message.px && { px: { mode: message.px.mode, y: message.px.y, ad: message.px.ad } }),
          })
        case 'px-ice':
          return send(socket, { type: 'px-ice', iceServers: [] })
        case 'px-relay':
          for (const one of Object.values(devices)) send(one, { type: 'px-relay-ready', token: 'relay-token' })
          return
        case 'px-rejoin':
          devices[message.peerId === 'c' ? 'creator' : 'joiner'] = socket
          return send(socket, { type: 'px-rejoined', peerId: message.peerId, isOtherHere: other !== undefined })
        case 'px-fail':
          return other && send(other, message)
        case 'px-leave':
          return other && send(other, { type: 'peer-left' })
        default: {
          const passed = safeParse(RelayedSignal, message)
          if (other && passed.success) send(other, passed.data)
        }
      }
    }
  }
}
