import type { Page } from '@playwright/test'

/** What a device that knows only the specification has seen and received. */
export interface BasicReport {
  readonly channels: number
  readonly ordered: boolean
  readonly maxRetransmits: number | null
  readonly longestChunk: number
  /** Of the files it took, in hexadecimal. */
  readonly sha256: readonly string[]
  readonly unknown: readonly string[]
}

interface BasicJoining {
  readonly pin: string
  /** How many files it takes; one without it. */
  readonly takes?: number
  /** How many bytes each of the files has that it sends afterwards. */
  readonly sends?: readonly number[]
  /** Whether what it says of being ready gets lost. */
  readonly isNeverReady?: boolean
}

/**
 * Joins a portal the way the specification alone has it, takes files and says what it saw; then sends some of its own.
 * Runs in the page, and shares no code with the product.
 */
export const joinAsBasicPeer = (page: Page, joining: BasicJoining): Promise<BasicReport> =>
  page.evaluate(async ({ pin, takes = 1, sends = [], isNeverReady = false }) => {
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
    let offered = once('file-offer')
    say({ type: 'join-room', roomCode: pin, deviceName: 'Old phone' })
    const channel = await channelOpen
    // Chromium at times loses, without a word, what is sent in the moment in which a channel of the other side opens.
    await ready
    if (!isNeverReady) channel.send(JSON.stringify({ type: 'connection-ready' }))

    async function take(): Promise<string> {
      await offered
      offered = once('file-offer')
      const keyed = once('encryption-key')
      const completed = once('transfer-complete')
      say({ type: 'file-accept' })
      const { key } = await keyed
      await completed
      const opening = await importKey(String(key))
      const plain: ArrayBuffer[] = []
      for (const chunk of chunks.splice(0)) {
        const algorithm = { name: 'AES-GCM', iv: chunk.subarray(0, 12) }
        plain.push(await crypto.subtle.decrypt(algorithm, opening, chunk.subarray(12)))
        report.longestChunk = Math.max(report.longestChunk, chunk.length - 28)
      }
      const digest = await crypto.subtle.digest('SHA-256', await new Blob(plain).arrayBuffer())
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    }

    function importKey(key: string): Promise<CryptoKey> {
      const raw = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0))
      return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt', 'encrypt'])
    }

    async function send(fileSize: number): Promise<void> {
      const accepted = once('file-accept')
      const file = { fileName: `../${fileSize} bytes from an old phone.bin`, fileSize, fileType: '', isEncrypted: true }
      say({ type: 'file-offer', ...file })
      await accepted
      const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
      const sealing = await importKey(key)
      channel.send(JSON.stringify({ type: 'encryption-key', key, fileName: file.fileName, originalSize: fileSize }))
      for (let start = 0; start < fileSize; start += 16_384) {
        const iv = crypto.getRandomValues(new Uint8Array(12))
        const piece = new Uint8Array(Math.min(16_384, fileSize - start)).fill(7)
        const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealing, piece))
        const message = new Uint8Array(12 + sealed.length)
        message.set(iv)
        message.set(sealed, 12)
        channel.send(message)
      }
      channel.send(JSON.stringify({ type: 'transfer-complete' }))
    }

    const sha256: string[] = []
    while (sha256.length < takes) sha256.push(await take())
    for (const bytes of sends) await send(bytes)
    return { ...report, sha256, unknown }
  }, joining)
