import { ignore } from '@sallyport/contract/ignore'
import { relayPath } from '@sallyport/contract/portals'
import { type Bytes, concatBytes, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { type Channel, createMessageBuffer, type Link } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { createSerialQueue } from '../serial-queue.ts'
import type { MessageSealer, PortalRole } from './pake.ts'

interface RelayLinkOptions {
  readonly origin: string
  readonly token: string
  readonly role: PortalRole
  /** Creates the sealer of a link from its id. */
  readonly createSealer: (linkId: string) => MessageSealer
  readonly clock: Clock
  readonly openSocket?: ((url: string) => WebSocket) | undefined
}

const pollIntervalMs = 20
const textFlag = 0x80
const linkIdBytes = 16

/**
 * Opens a link through the server, which sees only sealed frames, their sizes and their timing. Each device first sends
 * its part of the link id, so that frames cannot be replayed on another link. Resolves once the other device has sent
 * its part.
 */
export async function openRelayLink(options: RelayLinkOptions): Promise<Link> {
  const { origin, token, role, createSealer, clock, openSocket } = options
  const url = new URL(relayPath, origin)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('token', token)
  const socket = openSocket ? openSocket(url.href) : new WebSocket(url.href)
  socket.binaryType = 'arraybuffer'
  const lost = new AbortController()
  const markLost = () => lost.abort(new PortalError('CHANNEL_LOST'))
  const enqueueOutgoing = createSerialQueue(markLost)
  const enqueueIncoming = createSerialQueue(() => socket.close())
  let queuedBytes = 0
  const ownIdPart = randomBytes(linkIdBytes)
  const sealer = Promise.withResolvers<MessageSealer>()
  sealer.promise.catch((error) => ignore(error, 'the opening of the link rejects with it'))
  let hasLinkId = false

  function setLinkId(peerIdPart: Bytes): void {
    if (peerIdPart.length !== linkIdBytes) throw new PortalError('DAMAGED')
    hasLinkId = true
    const idParts = role === 'creator' ? [ownIdPart, peerIdPart] : [peerIdPart, ownIdPart]
    sealer.resolve(createSealer(idParts.map(toBase64url).join()))
  }

  function send(kind: number, data: string | Bytes): void {
    if (lost.signal.aborted) throw lost.signal.reason
    const plain = typeof data === 'string' ? concatBytes([kind | textFlag], utf8(data)) : concatBytes([kind], data)
    queuedBytes += plain.length
    enqueueOutgoing(async () => {
      try {
        socket.send(await (await sealer.promise).seal(plain, 'relay'))
      } finally {
        queuedBytes -= plain.length
      }
    })
  }

  const bufferedBytes = () => queuedBytes + socket.bufferedAmount
  const endpoints = [createChannel(0), createChannel(1), createChannel(2)] as const

  function createChannel(kind: number) {
    const { deliver, onMessage } = createMessageBuffer()
    const channel: Channel = {
      send: (data) => send(kind, data),
      bufferedBytes,
      async drained(bytes, signal) {
        while (bufferedBytes() > bytes) await clock.wait(pollIntervalMs, signal)
      },
      onMessage,
    }
    return { channel, deliver }
  }

  async function receiveFrame(sealed: Bytes): Promise<void> {
    if (!hasLinkId) return setLinkId(sealed)
    const plain = await (await sealer.promise).open(sealed, 'relay')
    const kind = plain?.[0]
    if (!plain || kind === undefined) throw new PortalError('DAMAGED')
    const body = plain.slice(1)
    endpoints[kind & ~textFlag]?.deliver(kind & textFlag ? new TextDecoder().decode(body) : body)
  }

  await new Promise<void>((resolve, reject) => {
    sealer.promise.then(() => resolve(), reject)
    socket.onopen = () => socket.send(ownIdPart)
    socket.onclose = () => {
      markLost()
      sealer.reject(lost.signal.reason)
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!(data instanceof ArrayBuffer)) return
      enqueueIncoming(() => receiveFrame(new Uint8Array(data)))
    }
  })
  const [main, control, bulk] = endpoints
  return {
    main: main.channel,
    control: control.channel,
    bulk: bulk.channel,
    isRelayed: true,
    certificates: null,
    lost: lost.signal,
    close: () => socket.close(1000),
  }
}
