import type { BrowserContext } from '@playwright/test'
import type { LyingServer, Signal } from './lying-server.ts'

type PeerRole = 'creator' | 'joiner'

/**
 * Puts a page as a machine in the middle between two devices that connect over a lying server: it answers each of
 * them with its own DTLS certificate and forwards all messages. The devices are those whose sockets open first.
 */
export async function startMachineInTheMiddle(context: BrowserContext, server: LyingServer): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${server.url}/portal?anonymous=true`)
  const senders = new Map<PeerRole, (message: Signal) => void>()
  await page.exposeFunction('tellDevice', (role: PeerRole, message: Signal) => senders.get(role)?.(message))
  await page.evaluate(() => {
    const sendToDevice = Reflect.get(window, 'tellDevice') as (role: PeerRole, message: object) => void
    const oppositeRole = { creator: 'joiner', joiner: 'creator' } as const
    const negotiatedChannels = [
      ['px-ctl', { negotiated: true, id: 200 }],
      ['px-bulk', { negotiated: true, id: 202, ordered: false }],
    ] as const
    const peers = { creator: createPeer('creator'), joiner: createPeer('joiner') }

    function createPeer(role: PeerRole) {
      const connection = new RTCPeerConnection()
      const channels = new Map<string, Promise<RTCDataChannel>>()
      const candidates: RTCIceCandidateInit[] = []
      const add = (name: string, channel: RTCDataChannel) => {
        channel.binaryType = 'arraybuffer'
        const opened = new Promise<RTCDataChannel>((resolve) => {
          if (channel.readyState === 'open') resolve(channel)
          channel.onopen = () => resolve(channel)
        })
        channels.set(name, opened)
        let forwarding = Promise.resolve()
        channel.onmessage = ({ data }) => {
          forwarding = forwarding.then(async () => (await peers[oppositeRole[role]].channels.get(name))?.send(data))
        }
      }
      for (const [name, options] of negotiatedChannels) add(name, connection.createDataChannel(name, options))
      if (role === 'joiner') add('main', connection.createDataChannel('main', { ordered: true, maxRetransmits: 3 }))
      else connection.ondatachannel = ({ channel }) => add('main', channel)
      connection.onicecandidate = ({ candidate }) =>
        candidate && sendToDevice(role, { type: 'webrtc-ice-candidate', data: candidate.toJSON() })
      return { connection, channels, candidates }
    }

    async function handleSignal(role: PeerRole, { type, data }: { type: string; data: never }) {
      const { connection, candidates } = peers[role]
      if (type === 'webrtc-ice-candidate') {
        if (connection.remoteDescription) await connection.addIceCandidate(data)
        else candidates.push(data)
        return
      }
      await connection.setRemoteDescription(data)
      for (const candidate of candidates.splice(0)) await connection.addIceCandidate(candidate)
      if (type === 'webrtc-answer') return
      await connection.setLocalDescription()
      sendToDevice(role, { type: 'webrtc-answer', data: connection.localDescription?.toJSON() })
      const { connection: joinerConnection } = peers.joiner
      await joinerConnection.setLocalDescription()
      sendToDevice('joiner', { type: 'webrtc-offer', data: joinerConnection.localDescription?.toJSON() })
    }
    Reflect.set(window, 'hearDevice', handleSignal)
  })

  const roleOf = (number: number): PeerRole => (number === 0 ? 'creator' : 'joiner')
  server.setRewrites({
    fromDevice(message, connection) {
      const role = roleOf(connection.index)
      senders.set(role, connection.sendToDevice)
      if (message.type === 'px-locate') {
        connection.sendToDevice({ type: 'px-located', result: 'classic' })
        return null
      }
      if (!message.type.startsWith('webrtc-')) return message
      page
        .evaluate(
          ([to, signal]) => (Reflect.get(window, 'hearDevice') as (to: string, signal: object) => unknown)(to, signal),
          [role, message] as const,
        )
        .catch(() => undefined)
      return null
    },
  })
}
