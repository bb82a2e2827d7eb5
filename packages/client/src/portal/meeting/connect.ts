import { classicPortalLimits, portalLimits } from '@sallyport/contract/limits'
import type { IceServer, PassedOn, SignalTold } from '@sallyport/contract/portals'
import { utf8 } from '@sallyport/crypto/portal'
import { type Clock, unlessAborted, withDeadline } from '../../clock.ts'
import { type Link, PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { createHandOver } from './hand-over.ts'
import type { PairKeys, PortalRole } from './proof.ts'
import { openRelayLink } from './relay-link.ts'
import { createReunion } from './reunion.ts'
import type { Signalling } from './signalling.ts'

export type PeerSignal = Extract<PassedOn, { data: unknown }>

/** One attempt at a direct line. */
export interface DirectAttempt {
  /** Settles once all channels are open; rejects when there is no direct way. */
  readonly link: Promise<Link>
  hear(signal: PeerSignal): void
  /** The devices can tell each other something again; an interrupted line is restarted once more. */
  tryAgain(): void
  close(): void
}

export type OpenDirect = (options: {
  readonly isCreator: boolean
  /** Whether an interrupted line may be offered another way, which devices of the basic protocol do not know. */
  readonly mayRestart: boolean
  readonly iceServers: readonly IceServer[]
  readonly signal: (message: PeerSignal) => void
}) => DirectAttempt

interface Parts {
  readonly signalling: Signalling
  readonly role: PortalRole
  /** Tells the other device no address of this one. */
  readonly isRelayOnly: boolean
  readonly origin: string
  readonly clock: Clock
  readonly openDirect: OpenDirect
  readonly openSocket?: ((url: string) => WebSocket) | undefined
  /** Proves the other device again after a line to the server was lost; null where it was never proved. */
  readonly again: CryptoKey | null
  /** Keys of this meeting; null where nothing was proved, or not yet again. */
  readonly keys: PairKeys | null
  /** Those of the first meeting: whatever is agreed on later rests on it. */
  readonly pictures: readonly string[]
  /** Hears what is not about the connection: the offers of the basic protocol. */
  readonly onOther: (message: PassedOn) => void
  /** The other device has left for good. */
  readonly onLeft: () => void
  readonly signal: AbortSignal
}

/** One line between the two, and what may be sealed over it. */
export interface Line {
  readonly link: Link
  /** The keys that belong to this link; null where nothing was proved. */
  readonly keys: PairKeys | null
}

const directFirstMs = 6000
const iceServersMs = 3000
const pauseMs = 1000
const peerSignals = ['webrtc-offer', 'webrtc-answer', 'webrtc-ice-candidate', 'px-lost'] as const
const others = ['file-offer', 'file-accept', 'file-reject'] as const
const meetings = ['px-relay-ready', 'px-rejoined', 'px-back', 'px-again', 'peer-left'] as const
type Heard = Extract<SignalTold, { type: (typeof peerSignals | typeof others | typeof meetings)[number] }>

/**
 * Keeps two devices that have met connected: directly where there is a way, through the relay where there is none and
 * both have proved the code. What the devices tell each other of their addresses is sealed between those.
 */
export function createConnector(parts: Parts) {
  const { signalling, again, role, isRelayOnly, origin, clock, signal } = parts
  let keys = parts.keys
  /** Names the keys in use, so that nothing is opened with others than it was sealed with. */
  let keysName = ''
  let attempt: DirectAttempt | null = null
  let link: Link | null = null
  let iceServers: readonly IceServer[] = []
  let saying: Promise<void> = Promise.resolve()
  const relay = createHandOver<string>()
  /** Lines the other device has begun. */
  const begun = createHandOver<DirectAttempt>()
  const tampered = Promise.withResolvers<never>()
  tampered.promise.catch(() => undefined)
  let isOtherGone = false
  let isOtherAway = again !== null && keys === null
  let together = Promise.withResolvers<void>()
  /** Aborted when what is being tried has become pointless. */
  let trying = new AbortController()
  if (!isOtherAway) together.resolve()

  const reunion =
    again &&
    createReunion({
      again,
      role,
      origin,
      say: (message) => {
        saying = saying.then(() => signalling.say(message))
      },
      onKeys(next, name) {
        keys = { ...next, pictures: parts.pictures }
        keysName = name
        isOtherAway = false
        trying.abort(new PortalError(portalTexts.channelLost))
        together.resolve()
        attempt?.tryAgain()
      },
    })

  function say(message: PeerSignal): void {
    saying = saying.then(async () => signalling.say(await sealed(message))).catch(() => undefined)
  }

  async function sealed(message: PeerSignal): Promise<PeerSignal> {
    if (!keys) return message
    const name = keysName
    const plain = utf8(JSON.stringify(message.data ?? null))
    const sealing = await keys.signals.seal(plain, message.type)
    return { type: message.type, data: { px: 2, ...sealing, ...(name && { k: name }) } }
  }

  /**
   * Null for what was heard before, or belongs to keys that are not in use. Throws a `PortalError` for what the other
   * device has not said.
   */
  async function opened(message: PeerSignal): Promise<PeerSignal | null> {
    if (!keys) return again ? null : message
    const { s, c, k = '' } = (message.data ?? {}) as { s?: unknown; c?: unknown; k?: unknown }
    if (typeof s !== 'number' || typeof c !== 'string') throw new PortalError(portalTexts.tampered)
    if (k !== keysName) return null
    const plain = await keys.signals.open({ s, c }, message.type)
    if (plain === null) throw new PortalError(portalTexts.tampered)
    return plain === 'old' ? null : { type: message.type, data: JSON.parse(new TextDecoder().decode(plain)) }
  }

  async function listen(): Promise<void> {
    for (;;) await hear(await signalling.take([...peerSignals, ...others, ...meetings], { signal }))
  }

  async function hear(message: Heard): Promise<void> {
    switch (message.type) {
      case 'px-relay-ready':
        relay.offer(message.token)
        break
      case 'px-back':
        await reunion?.begin()
        break
      case 'px-rejoined':
        if (message.isOtherHere) await reunion?.begin()
        else goneFromSight()
        break
      case 'px-again':
        // Whoever does not know what only the two know is not listened to.
        await reunion?.hear(message).catch(() => undefined)
        break
      case 'peer-left':
        left(message.px?.away === true)
        break
      case 'file-offer':
      case 'file-accept':
      case 'file-reject':
        parts.onOther(message)
        break
      default:
        await hearPeer(message)
    }
  }

  /** A line between the two may well stand while the other one has none to the server. */
  function left(isAway: boolean): void {
    if (isAway) goneFromSight()
    else {
      isOtherGone = true
      if (!isOtherAway || !link || link.lost.aborted) parts.onLeft()
    }
  }

  function goneFromSight(): void {
    if (isOtherAway) return
    isOtherAway = true
    together = Promise.withResolvers()
  }

  async function hearPeer(message: PeerSignal): Promise<void> {
    const said = await opened(message).catch(tampered.reject)
    if (!said) return
    if (said.type === 'px-lost') return offerAnew()
    // A new offer begins a new line, and what is left of the old one has to go; a restart goes on with the one there is.
    if (said.type === 'webrtc-offer' && role === 'joiner' && restartIn(said) === 0) receiveOffer()
    attempt?.hear(said)
  }

  function offerAnew(): void {
    if (role !== 'creator') return
    link?.close()
    trying.abort(new PortalError(portalTexts.channelLost))
  }

  function open(): DirectAttempt {
    attempt?.close()
    attempt = parts.openDirect({
      isCreator: role === 'creator',
      mayRestart: again !== null,
      iceServers,
      signal: say,
    })
    attempt.link.catch(() => undefined)
    return attempt
  }

  function receiveOffer(): void {
    link?.close()
    begun.offer(open())
  }

  /** The creator makes the offer; the joiner's line begins when it comes. */
  async function direct(ended: AbortSignal): Promise<Link> {
    if (role === 'creator') return open().link
    const { link: opening } = await begun.take(ended)
    // One that comes to nothing may be followed by another.
    return opening.catch(() => direct(ended))
  }

  async function throughRelay(pairKeys: PairKeys, ended: AbortSignal): Promise<Link> {
    if (role === 'creator') {
      relay.clear()
      signalling.say({ type: 'px-relay' })
    }
    const token = await relay.take(ended)
    const opening = openRelayLink({ ...parts, token, sealingOf: pairKeys.relay })
    return role === 'creator' ? opening : opening.catch(() => throughRelay(pairKeys, ended))
  }

  /** The creator is the one who asks for the relay: after the time for a direct way, or as soon as there is none. */
  async function relayTurn(directWay: Promise<Link> | null, ended: AbortSignal): Promise<void> {
    if (role === 'joiner' || !directWay) return
    const waited = clock.wait(directFirstMs, ended)
    await Promise.race([waited, directWay.then(() => waited).catch(() => undefined)])
    ended.throwIfAborted()
  }

  /** One try, both ways; whatever comes too late is closed. */
  async function tryOnce({ isFirst, timeoutMs }: { isFirst: boolean; timeoutMs: number }): Promise<Line> {
    trying = new AbortController()
    const ended = AbortSignal.any([signal, trying.signal])
    const present = keys
    signalling.say({ type: 'px-ice' })
    const answer = signalling.take(['px-ice'], { timeoutMs: iceServersMs, signal: ended })
    iceServers = (await answer.catch(() => unanswered(ended))).iceServers
    if (role === 'joiner' && !isFirst && begun.isEmpty()) say({ type: 'px-lost', data: null })
    const ways = isRelayOnly ? [] : [direct(ended)]
    if (present) ways.push(relayTurn(ways[0] ?? null, ended).then(() => throughRelay(present, ended)))
    let chosen: Link | null = null
    for (const way of ways)
      way.then((found) => found !== chosen && ended.aborted && found.close()).catch(() => undefined)
    try {
      chosen = await withDeadline({ clock, timeoutMs, signal: ended }, (late) =>
        unlessAborted(Promise.race([Promise.any(ways), tampered.promise]), late),
      )
      if (chosen.isRelayed) attempt?.close()
      return { link: chosen, keys: present }
    } finally {
      trying.abort(new PortalError(portalTexts.connectionTimeout))
    }
  }

  /** A server that says nothing may have been lost without a word. */
  function unanswered(ended: AbortSignal): { iceServers: readonly IceServer[] } {
    if (!ended.aborted) signalling.renew()
    return { iceServers }
  }

  listen().catch(() => undefined)

  return {
    /**
     * Opens the next line, and tries for so long as the other device may come back. Rejects with a `PortalError` when
     * there is none; the first one has to stand within the time of the specification.
     */
    async connect({ isFirst }: { readonly isFirst: boolean }): Promise<Line> {
      const until = clock.now() + (isFirst ? classicPortalLimits.readyMs : portalLimits.graceMs)
      const text = isFirst ? portalTexts.connectionTimeout : portalTexts.channelLost
      const left = () => Math.max(0, until - clock.now())
      if (isOtherGone) parts.onLeft()
      while (left() > 0 && !signalling.lost.aborted) {
        try {
          await unlessLost(together.promise, left())
          const timeoutMs = Math.min(left(), classicPortalLimits.readyMs)
          const line = await tryOnce({ isFirst, timeoutMs })
          link = line.link
          return line
        } catch (error) {
          signal.throwIfAborted()
          if (isTampered(error)) throw error
          if (!again) break
        }
        await clock.wait(pauseMs, signal)
      }
      throw new PortalError(text)
    },
    close: () => attempt?.close(),
  }

  function unlessLost(work: Promise<void>, timeoutMs: number): Promise<void> {
    const ending = AbortSignal.any([signal, signalling.lost])
    return withDeadline({ clock, timeoutMs, signal: ending }, (ended) => unlessAborted(work, ended))
  }
}

/** The how manieth restart of its line an offer or an answer belongs to; 0 for the beginning. */
export function restartIn({ data }: PeerSignal): number {
  const { restart } = (data ?? {}) as { restart?: unknown }
  return typeof restart === 'number' ? restart : 0
}

const isTampered = (error: unknown): boolean => error instanceof PortalError && error.message === portalTexts.tampered
