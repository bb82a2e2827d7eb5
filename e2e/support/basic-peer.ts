import type { Page } from '@playwright/test'

/** What a device that knows only the specification has seen and received. */
export interface BasicReport {
  readonly channels: number
  readonly ordered: boolean
  readonly maxRetransmits: number | null
  readonly longestChunk: number
  readonly sha256: string
  readonly unknown: readonly string[]
}

interface BasicJoining {
  readonly pin: string
  /** Bytes to send after having received a file; none are sent without it. */
  readonly sendBytes?: number
}

/**
 * Joins a portal the way the specification alone has it, takes one file and says what it saw; then sends one of its own,
 * if it is asked to. Runs in the page, and shares no code with the product.
 */
export const joinAsBasicPeer = (page: Page, joining: BasicJoining): Promise<BasicReport> =>
  page.evaluate(async ({ pin, sendBytes }) => {
    const { ticket } = await (await fetch('/api/portals/tickets', { method: 'POST' })).json()
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/webrtc-signal?session=${ticket}`)
    const peer = new RTCPeerConnection()
    const say = (message: object) => socket.send(JSON.stringify(message))
    const waiting = new Map<string, (message: { [name: string]: unknown }) => void>()
    const once = (type: string) => new Promise<{ [name: string]: unknown }>((resolve) => waiting.set(type, resolve))
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const report = { channels: 0, ordered: false, maxRetransmits: null as number | null, longestChunk: 0 }
    const unknown: string[] = []
    const known = ['connection-ready', 'encryption-key', 'transfer-complete', 'transfer-reset', 'portal-closed']
    const tell = (message: { type: string }) => {
      waiting.get(message.type)?.(message)
      waiting.delete(message.type)
    }

    const channelOpen = new Promise<RTCDataChannel>((resolve) => {
      peer.ondatachannel = ({ channel }) => {
        report.channels += 1
        report.ordered = channel.ordered
        report.maxRetransmits = channel.maxRetransmits
        channel.binaryType = 'arraybuffer'
        channel.onmessage = ({ data }) => {
          if (typeof data !== 'string') return chunks.push(new Uint8Array(data))
          const message = JSON.parse(data)
          if (!known.includes(message.type)) unknown.push(message.type)
          return tell(message)
        }
        channel.onopen = () => resolve(channel)
      }
    })
    peer.onicecandidate = ({ candidate }) =>
      candidate && say({ type: 'webrtc-ice-candidate', data: candidate.toJSON() })
    let signals = Promise.resolve()
    const hear = async (message: { type: string; data: never }) => {
      if (message.type === 'webrtc-offer') {
        await peer.setRemoteDescription(message.data)
        await peer.setLocalDescription()
        say({ type: 'webrtc-answer', data: peer.localDescription?.toJSON() })
      } else if (message.type === 'webrtc-ice-candidate') await peer.addIceCandidate(message.data)
      else tell(message)
    }
    socket.onmessage = ({ data }) => {
      signals = signals.then(() => hear(JSON.parse(data)))
    }
    await new Promise((resolve) => {
      socket.onopen = resolve
    })
    const ready = once('connection-ready')
    const offered = once('file-offer')
    const keyed = once('encryption-key')
    const completed = once('transfer-complete')
    say({ type: 'join-room', roomCode: pin, deviceName: 'Old phone' })
    const channel = await channelOpen
    channel.send(JSON.stringify({ type: 'connection-ready' }))
    await ready
    await offered
    say({ type: 'file-accept' })
    const { key } = await keyed
    await completed
    const raw = Uint8Array.from(atob(String(key)), (letter) => letter.charCodeAt(0))
    const opening = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt', 'encrypt'])
    const plain: ArrayBuffer[] = []
    for (const chunk of chunks) {
      const algorithm = { name: 'AES-GCM', iv: chunk.subarray(0, 12) }
      plain.push(await crypto.subtle.decrypt(algorithm, opening, chunk.subarray(12)))
      report.longestChunk = Math.max(report.longestChunk, chunk.length - 28)
    }
    const digest = await crypto.subtle.digest('SHA-256', await new Blob(plain).arrayBuffer())
    const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

    if (sendBytes !== undefined) {
      const accepted = once('file-accept')
      const file = { fileName: '../from an old phone.bin', fileSize: sendBytes, fileType: '', isEncrypted: true }
      say({ type: 'file-offer', ...file })
      await accepted
      channel.send(
        JSON.stringify({ type: 'encryption-key', key, fileName: file.fileName, originalSize: file.fileSize }),
      )
      for (let start = 0; start < sendBytes; start += 16_384) {
        const iv = crypto.getRandomValues(new Uint8Array(12))
        const piece = new Uint8Array(Math.min(16_384, sendBytes - start)).fill(7)
        const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, opening, piece))
        const message = new Uint8Array(12 + sealed.length)
        message.set(iv)
        message.set(sealed, 12)
        channel.send(message)
      }
      channel.send(JSON.stringify({ type: 'transfer-complete' }))
    }
    return { ...report, sha256, unknown }
  }, joining)
