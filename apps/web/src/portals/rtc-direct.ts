import { systemClock } from '@sallyport/client/clock'
import type { Channel, Link } from '@sallyport/client/portal/channel'
import { PortalError } from '@sallyport/client/portal/channel'
import {
  type DirectAttempt,
  type OpenDirect,
  type PeerSignal,
  restartIn,
} from '@sallyport/client/portal/meeting/direct-attempt'
import { createStanding } from '@sallyport/client/portal/meeting/standing'
import { portalTexts } from '@sallyport/client/portal/texts'
import { classicPortalLimits } from '@sallyport/contract/limits'

/** Known to devices of ours alone: they open these two without a word about it, so that others never see them. */
const controlId = 200
const bulkId = 202

/** One attempt at a direct line between two browsers. The creator makes the offer, and the one channel everybody knows. */
export const openDirect: OpenDirect = ({ isCreator, mayRestart, iceServers, signal }) => {
  if (typeof RTCPeerConnection === 'undefined') return noAttempt()
  const connection = new RTCPeerConnection({
    iceServers: iceServers.map(({ urls, username, credential }) => ({
      urls: [...urls],
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    })),
  })
  const lost = new AbortController()
  const give = () => lost.abort(new PortalError(portalTexts.channelLost))
  const restart = isCreator && mayRestart ? () => void restartOver().catch(() => undefined) : null
  const standing = createStanding({ clock: systemClock, restart, giveUp: give })
  let restarts = 0
  const control = connection.createDataChannel('px-ctl', { negotiated: true, id: controlId })
  const bulk = connection.createDataChannel('px-bulk', { negotiated: true, id: bulkId, ordered: false })
  // Heard from the start: what comes before all of them are open must not be lost.
  const [controlEnd, bulkEnd] = [channelOf(control), channelOf(bulk)]
  const described = Promise.withResolvers<void>()
  const candidates: RTCIceCandidateInit[] = []
  const main = isCreator
    ? Promise.resolve(
        connection.createDataChannel('main', { ordered: true, maxRetransmits: classicPortalLimits.maxRetransmits }),
      )
    : new Promise<RTCDataChannel>((resolve) => {
        connection.ondatachannel = ({ channel }) => resolve(channel)
      })

  connection.onicecandidate = ({ candidate }) => {
    if (candidate) signal({ type: 'webrtc-ice-candidate', data: candidate.toJSON() })
  }
  connection.onconnectionstatechange = () => standing.hear(connection.connectionState)

  async function offer(): Promise<void> {
    await main
    await connection.setLocalDescription()
    signal({ type: 'webrtc-offer', data: connection.localDescription?.toJSON() })
  }

  /** Offers the standing connection anew: both look for ways as at its beginning, and its channels stay. */
  async function restartOver(): Promise<void> {
    restarts += 1
    const number = restarts
    connection.restartIce()
    await connection.setLocalDescription()
    signal({ type: 'webrtc-offer', data: { ...connection.localDescription?.toJSON(), restart: number } })
  }

  async function take(said: PeerSignal): Promise<void> {
    const { type, data } = said
    const number = restartIn(said)
    if (type === 'webrtc-ice-candidate') {
      if (connection.remoteDescription) await connection.addIceCandidate(data as RTCIceCandidateInit)
      else candidates.push(data as RTCIceCandidateInit)
      return
    }
    // An answer to an offer that was followed by another one fits neither.
    if (type === 'webrtc-answer' && number !== restarts) return
    await connection.setRemoteDescription(data as RTCSessionDescriptionInit)
    for (const candidate of candidates.splice(0)) await connection.addIceCandidate(candidate)
    if (type !== 'webrtc-offer') return described.resolve()
    await connection.setLocalDescription()
    described.resolve()
    const answer = connection.localDescription?.toJSON()
    signal({ type: 'webrtc-answer', data: number === 0 ? answer : { ...answer, restart: number } })
  }

  async function opened(): Promise<Link> {
    const channel = await main
    const end = channelOf(channel)
    channel.addEventListener('close', give)
    await Promise.all([channel, control, bulk].map(untilOpen))
    // Channels may open before the page is told that it has taken the answer.
    await described.promise
    return {
      main: end,
      control: controlEnd,
      bulk: bulkEnd,
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
    standing.hear('closed')
  }

  const untilOpen = (channel: RTCDataChannel) =>
    new Promise<void>((resolve, reject) => {
      if (channel.readyState === 'open') resolve()
      channel.addEventListener('open', () => resolve(), { once: true })
      lost.signal.addEventListener('abort', () => reject(lost.signal.reason), { once: true })
    })

  if (isCreator) offer().catch(give)
  return {
    link: opened(),
    // What the other device says of its addresses may be of no use here; that ends nothing.
    hear: (message) => void take(message).catch(() => undefined),
    tryAgain: standing.tryAgain,
    close,
  }
}

/** Some browsers have no direct lines at all, and in others people have turned them off. */
const noAttempt = (): DirectAttempt => ({
  link: Promise.reject(new PortalError(portalTexts.channelLost)),
  hear: () => undefined,
  tryAgain: () => undefined,
  close: () => undefined,
})

/** The browser lets nobody but the holder of the certificate with this fingerprint answer. */
const fingerprintsIn = (description: RTCSessionDescription | null): string =>
  [...(description?.sdp.matchAll(/^a=fingerprint:(.+?)\s*$/gm) ?? [])]
    .map(([, fingerprint = '']) => fingerprint.toLowerCase())
    .sort()
    .join(' ')

function channelOf(channel: RTCDataChannel): Channel {
  const kept: (string | Uint8Array<ArrayBuffer>)[] = []
  let hear: ((data: string | Uint8Array<ArrayBuffer>) => void) | null = null
  channel.binaryType = 'arraybuffer'
  channel.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const arrived = typeof data === 'string' ? data : new Uint8Array(data)
    if (hear) hear(arrived)
    else kept.push(arrived)
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
    listen(next) {
      hear = next
      for (const data of kept.splice(0)) next(data)
    },
  }
}
