import type { Page } from '@playwright/test'

/** What a legacy peer, which implements only the specification, has seen and received. */
export interface LegacyPeerReport {
  readonly channels: number
  readonly ordered: boolean
  readonly maxRetransmits: number | null
  readonly longestChunkBytes: number
  /** Of the received files, in hexadecimal. */
  readonly sha256: readonly string[]
  readonly unknownTypes: readonly string[]
}

interface LegacyPeerOptions {
  readonly pin: string
  /** How many files it accepts; 1 by default. */
  readonly receiveCount?: number
  /** Sizes in bytes of the files that it sends afterwards. */
  readonly sendSizes?: readonly number[]
  /** Whether its `connection-ready` message is lost. */
  readonly isReadyMessageLost?: boolean
}

/**
 * Joins a portal as the specification alone describes it, accepts files, then sends some of its own and reports what it
 * saw. Runs in the page and shares no code with the product.
 */
export const joinAsLegacyPeer = (page: Page, options: LegacyPeerOptions): Promise<LegacyPeerReport> =>
  page.evaluate(async ({ pin, receiveCount = 1, sendSizes = [], isReadyMessageLost = false }) => {
    const { ticket } = await (await fetch('/api/portals/tickets', { method: 'POST' })).json()
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/webrtc-signal?session=${ticket}`)
    const peer = new RTCPeerConnection()
    const sendSignal = (message: object) => socket.send(JSON.stringify(message))
    const waiting = new Map<string, (message: { [name: string]: unknown }) => void>()
    const nextMessage = (type: string) =>
      new Promise<{ [name: string]: unknown }>((resolve) => waiting.set(type, resolve))
    const within = <Result>(promise: Promise<Result>, awaited: string): Promise<Result> =>
      Promise.race([
        promise,
        new Promise<never>((_, reject) =>
          setTimeout(() => reject(new Error(`The legacy peer timed out waiting for ${awaited}`)), 100_000),
        ),
      ])
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const report = { channels: 0, ordered: false, maxRetransmits: null as number | null, longestChunkBytes: 0 }
    const unknownTypes: string[] = []
    const knownTypes = ['connection-ready', 'encryption-key', 'transfer-complete', 'transfer-reset', 'portal-closed']
    const dispatch = (message: { type: string }) => {
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
          if (!knownTypes.includes(message.type)) unknownTypes.push(message.type)
          return dispatch(message)
        }
        channel.onopen = () => resolve(channel)
      }
    })
    peer.onicecandidate = ({ candidate }) =>
      candidate && sendSignal({ type: 'webrtc-ice-candidate', data: candidate.toJSON() })
    let signals = Promise.resolve()
    const handleSignal = async (message: { type: string; data: never }) => {
      if (message.type === 'webrtc-offer') {
        await peer.setRemoteDescription(message.data)
        await peer.setLocalDescription()
        sendSignal({ type: 'webrtc-answer', data: peer.localDescription?.toJSON() })
      } else if (message.type === 'webrtc-ice-candidate') await peer.addIceCandidate(message.data)
      else dispatch(message)
    }
    socket.onmessage = ({ data }) => {
      signals = signals.then(() => handleSignal(JSON.parse(data)))
    }
    const socketOpen = new Promise((resolve) => {
      socket.onopen = resolve
    })
    await within(socketOpen, 'the signalling socket')
    const ready = nextMessage('connection-ready')
    let fileOffered = nextMessage('file-offer')
    sendSignal({ type: 'join-room', roomCode: pin, deviceName: 'Old phone' })
    const channel = await within(channelOpen, 'the data channel')
    // Chromium sometimes drops a message that is sent while the channel of the peer is opening.
    await within(ready, 'connection-ready')
    if (!isReadyMessageLost) channel.send(JSON.stringify({ type: 'connection-ready' }))

    async function receiveFile(): Promise<string> {
      await within(fileOffered, 'file-offer')
      fileOffered = nextMessage('file-offer')
      const keyReceived = nextMessage('encryption-key')
      const completed = nextMessage('transfer-complete')
      sendSignal({ type: 'file-accept' })
      const { key } = await within(keyReceived, 'encryption-key')
      await within(completed, 'transfer-complete')
      const decryptionKey = await importKey(String(key))
      const plaintexts: ArrayBuffer[] = []
      for (const chunk of chunks.splice(0)) {
        const algorithm = { name: 'AES-GCM', iv: chunk.subarray(0, 12) }
        plaintexts.push(await crypto.subtle.decrypt(algorithm, decryptionKey, chunk.subarray(12)))
        report.longestChunkBytes = Math.max(report.longestChunkBytes, chunk.length - 28)
      }
      const digest = await crypto.subtle.digest('SHA-256', await new Blob(plaintexts).arrayBuffer())
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    }

    function importKey(key: string): Promise<CryptoKey> {
      const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
      return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt', 'encrypt'])
    }

    async function send(fileSize: number): Promise<void> {
      const accepted = nextMessage('file-accept')
      const file = { fileName: `../${fileSize} bytes from an old phone.bin`, fileSize, fileType: '', isEncrypted: true }
      sendSignal({ type: 'file-offer', ...file })
      await within(accepted, 'file-accept')
      const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
      const encryptionKey = await importKey(key)
      channel.send(JSON.stringify({ type: 'encryption-key', key, fileName: file.fileName, originalSize: fileSize }))
      for (let start = 0; start < fileSize; start += 16_384) {
        const iv = crypto.getRandomValues(new Uint8Array(12))
        const plaintext = new Uint8Array(Math.min(16_384, fileSize - start)).fill(7)
        const ciphertext = new Uint8Array(
          await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, encryptionKey, plaintext),
        )
        const message = new Uint8Array(12 + ciphertext.length)
        message.set(iv)
        message.set(ciphertext, 12)
        channel.send(message)
      }
      channel.send(JSON.stringify({ type: 'transfer-complete' }))
    }

    const sha256: string[] = []
    while (sha256.length < receiveCount) sha256.push(await receiveFile())
    for (const bytes of sendSizes) await send(bytes)
    return { ...report, sha256, unknownTypes }
  }, options)
