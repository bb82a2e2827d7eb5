import { systemClock } from '@sallyport/client/clock'
import type { Channel, Link } from '@sallyport/client/portal/channel'
import { PortalError } from '@sallyport/client/portal/errors'
import { type PeerSignal, restartIndex } from '@sallyport/client/portal/pairing/connection.rules'
import type { DirectAttempt, OpenDirect } from '@sallyport/client/portal/pairing/connector'
import { createIceRestarter } from '@sallyport/client/portal/pairing/ice-restarter'
import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'

/** Ids of the pre-negotiated channels. Only current clients open them, so a legacy peer never sees them. */
const controlChannelId = 200
const bulkChannelId = 202

/**
 * One attempt to connect two browsers directly. The creator makes the offer and opens the channel that legacy peers
 * know.
 */
export const openDirect: OpenDirect = ({ isCreator, canRestart, iceServers, signal }) => {
  if (typeof RTCPeerConnection === 'undefined') return noAttempt()
  const connection = new RTCPeerConnection({
    iceServers: iceServers.map(({ urls, username, credential }) => ({
      urls: [...urls],
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    })),
  })
  const lost = new AbortController()
  const markLost = () => lost.abort(new PortalError('CHANNEL_LOST'))
  const restart =
    isCreator && canRestart
      ? () => void restartIce().catch((error) => ignore(error, 'the link is given up after a timeout'))
      : null
  const iceRestarter = createIceRestarter({ clock: systemClock, restart, giveUp: markLost })
  let restarts = 0
  const control = connection.createDataChannel('px-ctl', { negotiated: true, id: controlChannelId })
  const bulk = connection.createDataChannel('px-bulk', { negotiated: true, id: bulkChannelId, ordered: false })
  // Listens from the start, so that no message is lost before all channels are open.
  const [controlChannel, bulkChannel] = [channelOf(control), channelOf(bulk)]
  const negotiated = Promise.withResolvers<void>()
  const pendingCandidates: RTCIceCandidateInit[] = []
  const main = isCreator
    ? Promise.resolve(
        connection.createDataChannel('main', { ordered: true, maxRetransmits: legacyPortalLimits.maxRetransmits }),
      )
    : new Promise<RTCDataChannel>((resolve) => {
        connection.ondatachannel = ({ channel }) => resolve(channel)
      })

  connection.onicecandidate = ({ candidate }) => {
    if (candidate) signal({ type: 'webrtc-ice-candidate', data: candidate.toJSON() })
  }
  connection.onconnectionstatechange = () => iceRestarter.onStateChange(connection.connectionState)

  async function offer(): Promise<void> {
    await main
    await connection.setLocalDescription()
    signal({ type: 'webrtc-offer', data: connection.localDescription?.toJSON() })
  }

  /** Restarts ICE by a new offer: both sides gather candidates again, and the data channels stay open. */
  async function restartIce(): Promise<void> {
    restarts += 1
    const restartNumber = restarts
    connection.restartIce()
    await connection.setLocalDescription()
    signal({ type: 'webrtc-offer', data: { ...connection.localDescription?.toJSON(), restart: restartNumber } })
  }

  async function handleSignal(message: PeerSignal): Promise<void> {
    const { type, data } = message
    const restartNumber = restartIndex(message)
    if (type === 'webrtc-ice-candidate') {
      if (connection.remoteDescription) await connection.addIceCandidate(data as RTCIceCandidateInit)
      else pendingCandidates.push(data as RTCIceCandidateInit)
      return
    }
    // An answer to an outdated offer is ignored.
    if (type === 'webrtc-answer' && restartNumber !== restarts) return
    await connection.setRemoteDescription(data as RTCSessionDescriptionInit)
    for (const candidate of pendingCandidates.splice(0)) await connection.addIceCandidate(candidate)
    if (type !== 'webrtc-offer') return negotiated.resolve()
    await connection.setLocalDescription()
    negotiated.resolve()
    const answer = connection.localDescription?.toJSON()
    signal({ type: 'webrtc-answer', data: restartNumber === 0 ? answer : { ...answer, restart: restartNumber } })
  }

  async function establish(): Promise<Link> {
    const channel = await main
    const mainChannel = channelOf(channel)
    channel.addEventListener('close', markLost)
    await Promise.all([channel, control, bulk].map(untilOpen))
    // Channels may open before the answer has been applied.
    await negotiated.promise
    return {
      main: mainChannel,
      control: controlChannel,
      bulk: bulkChannel,
      isRelayed: false,
      certificates: {
        own: fingerprintsIn(connection.localDescription),
        other: fingerprintsIn(connection.remoteDescription),
      },
      lost: lost.signal,
      close,
    }
  }

  function close(): void {
    connection.close()
    iceRestarter.onStateChange('closed')
  }

  const untilOpen = (channel: RTCDataChannel) =>
    new Promise<void>((resolve, reject) => {
      if (channel.readyState === 'open') resolve()
      channel.addEventListener('open', () => resolve(), { once: true })
      lost.signal.addEventListener('abort', () => reject(lost.signal.reason), { once: true })
    })

  if (isCreator) offer().catch(markLost)
  return {
    link: establish(),
    handleSignal: (message) =>
      void handleSignal(message).catch((error) => ignore(error, 'the connection may succeed without this signal')),
    retryIceRestart: iceRestarter.retry,
    close,
  }
}

/** Some browsers have no WebRTC, and in others users have disabled it. */
const noAttempt = (): DirectAttempt => ({
  link: Promise.reject(new PortalError('CHANNEL_LOST')),
  handleSignal: () => undefined,
  retryIceRestart: () => undefined,
  close: () => undefined,
})

/** The browser verifies by DTLS that the peer holds the certificate with this fingerprint. */
const fingerprintsIn = (description: RTCSessionDescription | null): string =>
  [...(description?.sdp.matchAll(/^a=fingerprint:(.+?)\s*$/gm) ?? [])]
    .map(([, fingerprint = '']) => fingerprint.toLowerCase())
    .sort()
    .join(' ')

function channelOf(channel: RTCDataChannel): Channel {
  const buffered: (string | Uint8Array<ArrayBuffer>)[] = []
  let listener: ((data: string | Uint8Array<ArrayBuffer>) => void) | null = null
  channel.binaryType = 'arraybuffer'
  channel.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const received = typeof data === 'string' ? data : new Uint8Array(data)
    if (listener) listener(received)
    else buffered.push(received)
  }
  return {
    send: (data) => (typeof data === 'string' ? channel.send(data) : channel.send(data)),
    bufferedBytes: () => channel.bufferedAmount,
    drained: (bytes, signal) =>
      new Promise((resolve, reject) => {
        channel.bufferedAmountLowThreshold = bytes
        if (channel.bufferedAmount <= bytes) return resolve()
        channel.addEventListener('bufferedamountlow', () => resolve(), { once: true })
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    onMessage(newListener) {
      listener = newListener
      for (const data of buffered.splice(0)) newListener(data)
    },
  }
}
