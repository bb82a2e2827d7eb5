import type { BrowserPair } from './portal-pages.ts'

interface WindowedSend {
  readonly bytes: number
  readonly messageBytes: number
  /** Maximum number of unacknowledged bytes. */
  readonly windowBytes: number
}

interface PacedSend {
  readonly bytes: number
  readonly messageBytes: number
  readonly delayMs: number
}

/** State of a page between two calls. */
interface BareChannel {
  peer: RTCPeerConnection
  channel: RTCDataChannel
}
declare global {
  interface Window {
    bare?: BareChannel
  }
}

/** Sends zero bytes over a data channel with an acknowledgement per message; resolves to the seconds until the last one. */
export async function sendBare(pair: BrowserPair, flow: WindowedSend): Promise<number> {
  await connectBare(pair, {})
  await pair.receiver.page.run(() => {
    const channel = (window.bare as BareChannel).channel
    let received = 0
    channel.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      received += data.byteLength
      channel.send(String(received))
    }
  })
  const seconds = await pair.sender.page.run(({ bytes, messageBytes, windowBytes }) => {
    const { channel } = window.bare as BareChannel
    const message = new Uint8Array(messageBytes)
    const { promise, resolve } = Promise.withResolvers<number>()
    const startedAt = performance.now()
    let sent = 0
    let acknowledged = 0
    const fillWindow = () => {
      while (sent < bytes && sent - acknowledged + messageBytes <= windowBytes) {
        channel.send(message)
        sent += messageBytes
      }
    }
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      acknowledged = Number(data)
      if (acknowledged >= bytes) resolve((performance.now() - startedAt) / 1000)
      fillWindow()
    }
    fillWindow()
    return promise
  }, flow)
  await closeBare(pair)
  return seconds
}

/** Sends at the pace of the specification, with a delay after each message; resolves to the seconds until the buffer is empty. */
export async function sendPaced(pair: BrowserPair, paced: PacedSend): Promise<number> {
  await connectBare(pair, { ordered: true, maxRetransmits: 3 })
  const seconds = await pair.sender.page.run(async ({ bytes, messageBytes, delayMs }) => {
    const { channel } = window.bare as BareChannel
    const message = new Uint8Array(messageBytes)
    const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs))
    const startedAt = performance.now()
    for (let sent = 0; sent < bytes; sent += messageBytes) {
      channel.send(message)
      await wait()
    }
    while (channel.bufferedAmount > 0) await wait()
    return (performance.now() - startedAt) / 1000
  }, paced)
  await closeBare(pair)
  return seconds
}

async function connectBare({ sender, receiver }: BrowserPair, options: RTCDataChannelInit): Promise<void> {
  const offer = await sender.page.run(async (options) => {
    const peer = new RTCPeerConnection()
    const channel = peer.createDataChannel('bare', options)
    channel.binaryType = 'arraybuffer'
    window.bare = { peer, channel }
    await peer.setLocalDescription()
    if (peer.iceGatheringState !== 'complete')
      await new Promise<void>((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve()
      })
    return peer.localDescription?.sdp ?? ''
  }, options)
  const answer = await receiver.page.run(async (sdp) => {
    const peer = new RTCPeerConnection()
    peer.ondatachannel = ({ channel }) => {
      channel.binaryType = 'arraybuffer'
      window.bare = { peer, channel }
    }
    await peer.setRemoteDescription({ type: 'offer', sdp })
    await peer.setLocalDescription()
    if (peer.iceGatheringState !== 'complete')
      await new Promise<void>((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve()
      })
    return peer.localDescription?.sdp ?? ''
  }, offer)
  await sender.page.run(async (sdp) => {
    const { peer, channel } = window.bare as BareChannel
    const open = new Promise<void>((resolve) => {
      channel.onopen = () => resolve()
    })
    await peer.setRemoteDescription({ type: 'answer', sdp })
    await open
  }, answer)
  await receiver.page.run(async () => {
    while (window.bare?.channel.readyState !== 'open') await new Promise((resolve) => setTimeout(resolve, 5))
  })
}

async function closeBare({ sender, receiver }: BrowserPair): Promise<void> {
  for (const { page } of [sender, receiver]) {
    await page.run(() => {
      window.bare?.peer.close()
      delete window.bare
    })
  }
}
