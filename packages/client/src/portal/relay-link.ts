import { relayPath } from '@sallyport/contract/portals'
import { type Bytes, concatBytes, utf8 } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import { type Channel, type Link, PortalError } from './channel.ts'
import type { Sealing } from './proof.ts'
import { portalTexts } from './texts.ts'

interface Parts {
  readonly origin: string
  readonly token: string
  readonly sealing: Sealing
  readonly clock: Clock
  readonly openSocket?: ((url: string) => WebSocket) | undefined
}

const names = ['main', 'control', 'bulk'] as const
const lookEveryMs = 20
const textMark = 0x80

/** A link through the server, which sees sealed frames, their sizes and when they come. Settles once the line is open. */
export async function openRelayLink({ origin, token, sealing, clock, openSocket }: Parts): Promise<Link> {
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

  function send(kind: number, data: string | Bytes): void {
    if (lost.signal.aborted) throw lost.signal.reason
    const plain = typeof data === 'string' ? concatBytes([kind | textMark], utf8(data)) : concatBytes([kind], data)
    waiting += plain.length
    outgoing = outgoing
      .then(async () => socket.send(await sealing.seal(plain, 'relay')))
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
    const plain = await sealing.open(sealed, 'relay')
    const kind = plain?.[0]
    if (!plain || kind === undefined) throw new PortalError(portalTexts.damaged)
    const body = plain.slice(1)
    ends[kind & ~textMark]?.arrive(kind & textMark ? new TextDecoder().decode(body) : body)
  }

  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onclose = () => {
      give()
      reject(lost.signal.reason)
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
