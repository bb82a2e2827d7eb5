import { classicPortalLimits } from '@sallyport/contract/limits'
import type { IceServer, PassedOn } from '@sallyport/contract/portals'
import { utf8 } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import { type Link, PortalError } from './channel.ts'
import type { Pair } from './meet.ts'
import type { PortalRole } from './proof.ts'
import { openRelayLink } from './relay-link.ts'
import type { Signalling } from './signalling.ts'
import { portalTexts } from './texts.ts'

export type PeerSignal = Extract<PassedOn, { data: unknown }>

/** One attempt at a direct line. */
export interface DirectAttempt {
  /** Settles once all channels are open; rejects when there is no direct way. */
  readonly link: Promise<Link>
  hear(signal: PeerSignal): void
  close(): void
}

export type OpenDirect = (options: {
  readonly isCreator: boolean
  readonly iceServers: readonly IceServer[]
  readonly signal: (message: PeerSignal) => void
}) => DirectAttempt

interface Parts {
  readonly signalling: Signalling
  readonly pair: Pair
  readonly role: PortalRole
  readonly origin: string
  readonly clock: Clock
  readonly openDirect: OpenDirect
  readonly openSocket?: ((url: string) => WebSocket) | undefined
  /** Hears what is not about the connection: the offers of the basic protocol. */
  readonly onOther: (message: PassedOn) => void
  readonly signal: AbortSignal
}

const directFirstMs = 6000
const iceServersMs = 3000
const peerSignals = ['webrtc-offer', 'webrtc-answer', 'webrtc-ice-candidate'] as const
const others = ['file-offer', 'file-accept', 'file-reject'] as const

/**
 * Keeps two devices that have met connected: directly where there is a way, through the relay where there is none and
 * both have proved the code. What the devices tell each other of their addresses is sealed between those.
 */
export function createConnector(parts: Parts) {
  const { signalling, pair, role, clock, signal } = parts
  let attempt: DirectAttempt | null = null
  let iceServers: readonly IceServer[] = []
  let saying: Promise<void> = Promise.resolve()
  let relayed = Promise.withResolvers<string>()
  let lines = 0
  let claim: ((opened: DirectAttempt) => void) | null = null
  const tampered = Promise.withResolvers<never>()
  tampered.promise.catch(() => undefined)
  /** A line the other device has begun before this one asked for it. */
  let unclaimed: DirectAttempt | null = null

  function say(message: PeerSignal): void {
    saying = saying.then(async () => signalling.say(await sealed(message))).catch(() => undefined)
  }

  async function sealed(message: PeerSignal): Promise<PeerSignal> {
    if (!pair.proof) return message
    const plain = utf8(JSON.stringify(message.data))
    return { type: message.type, data: { px: 2, ...(await pair.proof.keys.signals.seal(plain, message.type)) } }
  }

  /** Null for what was heard before. Throws a `PortalError` for what the other device has not said. */
  async function opened(message: PeerSignal): Promise<PeerSignal | null> {
    if (!pair.proof) return message
    const { s, c } = (message.data ?? {}) as { s?: unknown; c?: unknown }
    if (typeof s !== 'number' || typeof c !== 'string') throw new PortalError(portalTexts.tampered)
    const plain = await pair.proof.keys.signals.open({ s, c }, message.type)
    if (plain === null) throw new PortalError(portalTexts.tampered)
    return plain === 'old' ? null : { type: message.type, data: JSON.parse(new TextDecoder().decode(plain)) }
  }

  async function listen(): Promise<void> {
    for (;;) {
      const message = await signalling.take([...peerSignals, ...others, 'px-relay-ready'], { signal })
      if (message.type === 'px-relay-ready') relayed.resolve(message.token)
      else if ('data' in message) await hear(message)
      else parts.onOther(message)
    }
  }

  async function hear(message: PeerSignal): Promise<void> {
    const said = await opened(message).catch(tampered.reject)
    if (!said) return
    // A new offer begins a new line; what is left of the old one has to go.
    if (said.type === 'webrtc-offer' && role === 'joiner') receiveOffer()
    attempt?.hear(said)
  }

  function open(): DirectAttempt {
    attempt?.close()
    attempt = parts.openDirect({ isCreator: role === 'creator', iceServers, signal: say })
    attempt.link.catch(() => undefined)
    return attempt
  }

  function receiveOffer(): void {
    const opened = open()
    if (claim) claim(opened)
    else unclaimed = opened
    claim = null
  }

  const nextOffer = () =>
    new Promise<DirectAttempt>((resolve) => {
      claim = resolve
    })

  /** The creator makes the offer; the joiner's line begins when it comes. */
  async function direct(): Promise<Link> {
    if (role === 'creator') return open().link
    const begun = unclaimed ?? (await nextOffer())
    unclaimed = null
    return begun.link
  }

  async function throughRelay(): Promise<Link> {
    if (!pair.proof) throw new PortalError(portalTexts.connectionTimeout)
    if (role === 'creator') signalling.say({ type: 'px-relay' })
    const token = await relayed.promise
    relayed = Promise.withResolvers<string>()
    const { origin, openSocket } = parts
    const sealing = pair.proof.keys.relay(lines)
    lines += 1
    return openRelayLink({ origin, token, sealing, clock, openSocket })
  }

  async function later(milliseconds: number, work: () => Promise<Link>): Promise<Link> {
    await clock.wait(milliseconds, signal)
    return work()
  }

  listen().catch(() => undefined)

  return {
    /** Opens the next line; rejects with a `PortalError` when there is none. */
    async connect(): Promise<Link> {
      signalling.say({ type: 'px-ice' })
      const answer = signalling.take(['px-ice'], { timeoutMs: iceServersMs, signal })
      iceServers = (await answer.catch(() => ({ iceServers }))).iceServers
      const ways = [direct(), pair.proof ? later(directFirstMs, throughRelay) : never()]
      try {
        const limit = later(classicPortalLimits.readyMs, async () => {
          throw new PortalError(portalTexts.connectionTimeout)
        })
        limit.catch(() => undefined)
        const link = await Promise.race([Promise.any(ways), limit, tampered.promise])
        if (link.isRelayed) attempt?.close()
        return link
      } catch (error) {
        if (error instanceof PortalError) throw error
        throw new PortalError(portalTexts.connectionTimeout)
      } finally {
        claim = null
      }
    },
    close: () => attempt?.close(),
  }
}

const never = (): Promise<Link> => new Promise(() => undefined)
