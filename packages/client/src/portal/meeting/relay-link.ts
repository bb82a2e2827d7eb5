import { relayPath } from '@sallyport/contract/portals'
import { type Bytes, concatBytes, randomBytes, toBase64url, utf8 } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import { type Channel, type Link, PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import type { PortalRole, Sealing } from './proof.ts'

interface Parts {
  readonly origin: string
  readonly token: string
  readonly role: PortalRole
  /** The seals of one line, by its name. */
  readonly sealingOf: (line: string) => Sealing
  readonly clock: Clock
  readonly openSocket?: ((url: string) => WebSocket) | undefined
}

const names = ['main', 'control', 'bulk'] as const
const lookEveryMs = 20
const textMark = 0x80
const nameBytes = 16

/**
 * A link through the server, which sees sealed frames, their sizes and when they come. Both devices give a part of its
 * name first, so that what went over another line is of no use on this one. Settles once the other device is there.
 */
export async function openRelayLink(parts: Parts): Promise<Link> {
  const { origin, token, role, sealingOf, clock, openSocket } = parts
  const url = new URL(relayPath, origin)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('token', token)
  const socket = openSocket ? openSocket(url.href) : new WebSocket(url.href)
  socket.binaryType = 'arraybuffer'
  const lost = new AbortController()
  const give = () => lost.abort(new PortalError(portalTexts.channelLost))
  let outgoing: Promise<void> = Promise.resolve()
  let incoming: Promise<void> = Promise.resolve()
  let waiting = 0
  const ownName = randomBytes(nameBytes)
  const named = Promise.withResolvers<Sealing>()
  named.promise.catch(() => undefined)
  let isNamed = false

  function nameLine(theirs: Bytes): void {
    if (theirs.length !== nameBytes) throw new PortalError(portalTexts.damaged)
    isNamed = true
    const names = role === 'creator' ? [ownName, theirs] : [theirs, ownName]
    named.resolve(sealingOf(names.map(toBase64url).join()))
  }

  function send(kind: number, data: string | Bytes): void {
    if (lost.signal.aborted) throw lost.signal.reason
    const plain = typeof data === 'string' ? concatBytes([kind | textMark], utf8(data)) : concatBytes([kind], data)
    waiting += plain.length
    outgoing = outgoing
      .then(async () => socket.send(await (await named.promise).seal(plain, 'relay')))
      .catch(give)
      .finally(() => {
        waiting -= plain.length
      })
  }

  const ends = names.map((_, kind) => createChannel((data) => send(kind, data)))

  function createChannel(sendOn: (data: string | Bytes) => void) {
    const kept: (string | Bytes)[] = []
    let hear: ((data: string | Bytes) => void) | null = null
    const bufferedBytes = () => waiting + socket.bufferedAmount
    const channel: Channel = {
      send: sendOn,
      bufferedBytes,
      async drained(bytes, signal) {
        while (bufferedBytes() > bytes) await clock.wait(lookEveryMs, signal)
      },
      listen(next) {
        hear = next
        for (const data of kept.splice(0)) next(data)
      },
    }
    return { channel, arrive: (data: string | Bytes) => (hear ? hear(data) : void kept.push(data)) }
  }

  async function take(sealed: Bytes): Promise<void> {
    if (!isNamed) return nameLine(sealed)
    const plain = await (await named.promise).open(sealed, 'relay')
    const kind = plain?.[0]
    if (!plain || kind === undefined) throw new PortalError(portalTexts.damaged)
    const body = plain.slice(1)
    ends[kind & ~textMark]?.arrive(kind & textMark ? new TextDecoder().decode(body) : body)
  }

  await new Promise<void>((resolve, reject) => {
    named.promise.then(() => resolve(), reject)
    socket.onopen = () => socket.send(ownName)
    socket.onclose = () => {
      give()
      named.reject(lost.signal.reason)
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!(data instanceof ArrayBuffer)) return
      incoming = incoming.then(() => take(new Uint8Array(data))).catch(() => socket.close())
    }
  })
  const [main, control, bulk] = ends.map(({ channel }) => channel) as [Channel, Channel, Channel]
  return {
    main,
    control,
    bulk,
    isRelayed: true,
    certificates: null,
    lost: lost.signal,
    close: () => socket.close(1000),
  }
}
