import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits, portalLimits } from '@sallyport/contract/limits'
import type { IceServer, RelayedSignal, ServerSignal } from '@sallyport/contract/portals'
import { type Clock, raceAbort, raceDeadline, withDeadline } from '../../clock.ts'
import type { Link } from '../channel.ts'
import { PortalError } from '../errors.ts'
import * as rules from './connection.rules.ts'
import { createLatestQueue } from './latest-queue.ts'
import type { PairKeys, PortalRole } from './pake.ts'
import { createPeerSignals } from './peer-signals.ts'
import { createRePairing } from './re-pairing.ts'
import { openRelayLink } from './relay-link.ts'
import type { Signalling } from './signalling.ts'

/** One attempt to open a direct link. */
export interface DirectAttempt {
  /** Resolves once all channels are open; rejects when no direct link is possible. */
  readonly link: Promise<Link>
  handleSignal(signal: rules.PeerSignal): void
  /** Repeats the ICE restart of an interrupted link once signals can be exchanged again. */
  retryIceRestart(): void
  close(): void
}

export type OpenDirect = (options: {
  readonly isCreator: boolean
  /** Whether an interrupted link may be offered an ICE restart, which legacy peers do not support. */
  readonly canRestart: boolean
  readonly iceServers: readonly IceServer[]
  readonly signal: (message: rules.PeerSignal) => void
}) => DirectAttempt

interface ConnectorDeps {
  readonly signalling: Signalling
  readonly role: PortalRole
  /** Hides this device's IP address from the other device. */
  readonly isRelayOnly: boolean
  readonly origin: string
  readonly clock: Clock
  readonly openDirect: OpenDirect
  readonly openSocket?: ((url: string) => WebSocket) | undefined
  /** The re-pairing key, used after a signalling connection was lost; null for devices that were never verified. */
  readonly again: CryptoKey | null
  /** Keys of this pairing; null without a PAKE, and before re-pairing. */
  readonly keys: PairKeys | null
  /** The SAS emoji of the first pairing, on which every later agreement is based. */
  readonly pictures: readonly string[]
  /** Receives the file offers and answers of the legacy protocol. */
  readonly onFileSignal: (message: RelayedSignal) => void
  /** Called when the other device has left for good. */
  readonly onPeerLeft: () => void
  readonly signal: AbortSignal
}

/** A link between paired devices and its keys. */
export interface PairedLink {
  readonly link: Link
  /** The keys that belong to this link; null for unverified devices. */
  readonly keys: PairKeys | null
}

const directHeadStartMs = 6000
const iceServersTimeoutMs = 3000
const retryDelayMs = 1000
const peerSignals = ['webrtc-offer', 'webrtc-answer', 'webrtc-ice-candidate', 'px-lost'] as const
const fileSignals = ['file-offer', 'file-accept', 'file-reject'] as const
const roomSignals = ['px-relay-ready', 'px-rejoined', 'px-back', 'px-again', 'peer-left'] as const
type IncomingSignal = Extract<
  ServerSignal,
  { type: (typeof peerSignals | typeof fileSignals | typeof roomSignals)[number] }
>

/**
 * Connects two paired devices: directly if possible, otherwise, if both have proved the code, through the relay.
 * Verified devices seal the signals that carry their addresses.
 */
export function createConnector(deps: ConnectorDeps) {
  const { signalling, again, role, isRelayOnly, origin, clock, signal } = deps
  const signals = createPeerSignals({ send: signalling.send, keys: deps.keys, isVerified: again !== null })
  let attempt: DirectAttempt | null = null
  let link: Link | null = null
  let iceServers: readonly IceServer[] = []
  const relayTokens = createLatestQueue<string>()
  /** Direct attempts that the other device started. */
  const peerAttempts = createLatestQueue<DirectAttempt>()
  const tampered = Promise.withResolvers<never>()
  tampered.promise.catch((error) => ignore(error, 'the tries to connect reject with it'))
  let state: rules.ConnectionState = { role, isPeerPresent: again === null || deps.keys !== null, hasPeerLeft: false }
  let peerPresent = Promise.withResolvers<void>()
  /** Aborts the current try when it has become pointless. */
  let tryController = new AbortController()
  if (state.isPeerPresent) peerPresent.resolve()

  const rePairing =
    again &&
    createRePairing({
      again,
      role,
      origin,
      send: signals.sendUnsealed,
      onKeys(next, keyId) {
        signals.useKeys({ ...next, sasEmoji: deps.pictures }, keyId)
        void apply(rules.receiveKeys(state))
      },
    })

  async function readSignals(): Promise<void> {
    for (;;) await handleSignal(await signalling.receive([...peerSignals, ...fileSignals, ...roomSignals], { signal }))
  }

  async function handleSignal(message: IncomingSignal): Promise<void> {
    switch (message.type) {
      case 'px-relay-ready':
        return relayTokens.put(message.token)
      case 'px-again':
        return rePairing?.handleMessage(message).catch((error) => ignore(error, 'the re-pairing secret was not shared'))
      case 'px-back':
      case 'px-rejoined':
      case 'peer-left':
        return apply(rules.receivePresence(state, message, link !== null && !link.lost.aborted))
      case 'file-offer':
      case 'file-accept':
      case 'file-reject':
        return deps.onFileSignal(message)
      default: {
        const opened = await signals.open(message).catch(tampered.reject)
        if (opened) await apply(rules.receivePeerSignal(state, opened), opened)
      }
    }
  }

  async function apply(step: rules.ConnectionStep, received?: rules.PeerSignal): Promise<void> {
    if (state.isPeerPresent && !step.state.isPeerPresent) peerPresent = Promise.withResolvers()
    state = step.state
    const started = step.effects.map((effect) => effects[effect](received))
    if (state.isPeerPresent) peerPresent.resolve()
    await Promise.all(started)
  }

  const effects: Record<rules.ConnectionEffect, (received?: rules.PeerSignal) => unknown> = {
    // The next signal is read only afterwards, as it may belong to this re-pairing.
    'start-re-pairing': () =>
      rePairing?.start().catch((error) => ignore(error, 'the next reconnect starts another re-pairing')),
    'abort-try': () => tryController.abort(new PortalError('CHANNEL_LOST')),
    'close-link': () => link?.close(),
    'open-attempt': () => peerAttempts.put(openAttempt()),
    'pass-signal-to-attempt': (received) => received && attempt?.handleSignal(received),
    'retry-ice-restart': () => attempt?.retryIceRestart(),
    'end-portal': () => deps.onPeerLeft(),
  }

  function openAttempt(): DirectAttempt {
    attempt?.close()
    attempt = deps.openDirect({
      isCreator: role === 'creator',
      canRestart: again !== null,
      iceServers,
      signal: signals.send,
    })
    attempt.link.catch((error) => ignore(error, 'the try that awaits the link rejects with it'))
    return attempt
  }

  /** The creator sends the offer; the joiner waits for it. */
  async function connectDirect(ended: AbortSignal): Promise<Link> {
    if (role === 'creator') return openAttempt().link
    const { link: opening } = await peerAttempts.receive(ended)
    // A failed attempt may be followed by another offer.
    return opening.catch(() => connectDirect(ended))
  }

  async function connectRelay(pairKeys: PairKeys, ended: AbortSignal): Promise<Link> {
    if (role === 'creator') {
      relayTokens.clear()
      signalling.send({ type: 'px-relay' })
    }
    const token = await relayTokens.receive(ended)
    const opening = openRelayLink({ ...deps, token, createSealer: pairKeys.createRelaySealer })
    return role === 'creator' ? opening : opening.catch(() => connectRelay(pairKeys, ended))
  }

  /** The creator requests the relay, after a head start for the direct attempt. The joiner does not wait. */
  async function waitForHeadStart(directLink: Promise<Link> | null, ended: AbortSignal): Promise<void> {
    if (role === 'joiner' || !directLink) return
    const waited = clock.wait(directHeadStartMs, ended)
    await Promise.race([
      waited,
      directLink.then(() => waited).catch((error) => ignore(error, 'the relay is tried instead')),
    ])
    ended.throwIfAborted()
  }

  /** Tries a direct and a relayed link at once; links that open too late are closed. */
  async function tryOnce({ isFirst, timeoutMs }: { isFirst: boolean; timeoutMs: number }): Promise<PairedLink> {
    tryController = new AbortController()
    const ended = AbortSignal.any([signal, tryController.signal])
    const pairKeys = signals.keys()
    signalling.send({ type: 'px-ice' })
    const answer = signalling.receive(['px-ice'], { timeoutMs: iceServersTimeoutMs, signal: ended })
    iceServers = (await answer.catch(() => onIceServersTimeout(ended))).iceServers
    if (role === 'joiner' && !isFirst && peerAttempts.isEmpty()) signals.send({ type: 'px-lost', data: null })
    const pendingLinks = isRelayOnly ? [] : [connectDirect(ended)]
    if (pairKeys)
      pendingLinks.push(waitForHeadStart(pendingLinks[0] ?? null, ended).then(() => connectRelay(pairKeys, ended)))
    let chosen: Link | null = null
    for (const pending of pendingLinks)
      pending
        .then((opened) => opened !== chosen && ended.aborted && opened.close())
        .catch((error) => ignore(error, 'another link was chosen, or the try rejects with it'))
    try {
      chosen = await withDeadline({ clock, timeoutMs, signal: ended }, (late) =>
        raceAbort(Promise.race([Promise.any(pendingLinks), tampered.promise]), late),
      )
      if (chosen.isRelayed) attempt?.close()
      return { link: chosen, keys: pairKeys }
    } finally {
      tryController.abort(new PortalError('CONNECTION_TIMEOUT'))
    }
  }

  /** A signalling connection without an answer may be half-open, so it is renewed. */
  function onIceServersTimeout(ended: AbortSignal): { iceServers: readonly IceServer[] } {
    if (!ended.aborted) signalling.reconnect()
    return { iceServers }
  }

  readSignals().catch((error) => ignore(error, 'the portal has ended'))

  return {
    /**
     * Opens the next link and retries for as long as the other device may reconnect. Rejects with a `PortalError` on
     * timeout; the first link has to open within the time of the specification.
     */
    async connect({ isFirst }: { readonly isFirst: boolean }): Promise<PairedLink> {
      const deadline = clock.now() + (isFirst ? legacyPortalLimits.readyMs : portalLimits.graceMs)
      const timeoutCode = isFirst ? 'CONNECTION_TIMEOUT' : 'CHANNEL_LOST'
      const remainingMs = () => Math.max(0, deadline - clock.now())
      if (state.hasPeerLeft) deps.onPeerLeft()
      while (remainingMs() > 0 && !signalling.lost.aborted) {
        try {
          const ending = AbortSignal.any([signal, signalling.lost])
          await raceDeadline(peerPresent.promise, { clock, timeoutMs: remainingMs(), signal: ending })
          const timeoutMs = Math.min(remainingMs(), legacyPortalLimits.readyMs)
          const paired = await tryOnce({ isFirst, timeoutMs })
          link = paired.link
          return paired
        } catch (error) {
          signal.throwIfAborted()
          if (isTampered(error)) throw error
          if (!again) break
        }
        await clock.wait(retryDelayMs, signal)
      }
      throw new PortalError(timeoutCode)
    },
    close: () => attempt?.close(),
  }
}

const isTampered = (error: unknown): boolean => error instanceof PortalError && error.code === 'TAMPERED'
