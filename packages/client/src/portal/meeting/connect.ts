import { classicPortalLimits, portalLimits } from '@sallyport/contract/limits'
import type { IceServer, PassedOn, SignalTold } from '@sallyport/contract/portals'
import { type Clock, unlessAborted, withDeadline } from '../../clock.ts'
import { type Link, PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'
import { type DirectAttempt, type OpenDirect, type PeerSignal, restartIn } from './direct-attempt.ts'
import { createHandOver } from './hand-over.ts'
import { createPeerSignals } from './peer-signals.ts'
import type { PairKeys, PortalRole } from './proof.ts'
import { openRelayLink } from './relay-link.ts'
import { createReunion } from './reunion.ts'
import type { Signalling } from './signalling.ts'

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
  const signals = createPeerSignals({ say: signalling.say, keys: parts.keys, isProved: again !== null })
  let attempt: DirectAttempt | null = null
  let link: Link | null = null
  let iceServers: readonly IceServer[] = []
  const relay = createHandOver<string>()
  /** Lines the other device has begun. */
  const begun = createHandOver<DirectAttempt>()
  const tampered = Promise.withResolvers<never>()
  tampered.promise.catch(() => undefined)
  let isOtherGone = false
  let isOtherAway = again !== null && parts.keys === null
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
      say: signals.sayUnsealed,
      onKeys(next, name) {
        signals.use({ ...next, pictures: parts.pictures }, name)
        isOtherAway = false
        trying.abort(new PortalError(portalTexts.channelLost))
        together.resolve()
        attempt?.tryAgain()
      },
    })

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
    const said = await signals.opened(message).catch(tampered.reject)
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
      signal: signals.say,
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
    const present = signals.keys()
    signalling.say({ type: 'px-ice' })
    const answer = signalling.take(['px-ice'], { timeoutMs: iceServersMs, signal: ended })
    iceServers = (await answer.catch(() => unanswered(ended))).iceServers
    if (role === 'joiner' && !isFirst && begun.isEmpty()) signals.say({ type: 'px-lost', data: null })
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

const isTampered = (error: unknown): boolean => error instanceof PortalError && error.message === portalTexts.tampered
