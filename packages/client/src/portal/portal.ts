import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { type Clock, raceAbort, systemClock, withDeadline } from '../clock.ts'
import { ApiError, NetworkError } from '../errors.ts'
import { createSubject, waitUntil } from '../observable.ts'
import { type Link, withTimeoutError } from './channel.ts'
import { PortalError } from './errors.ts'
import type { Exchange, ReceiveStorage } from './exchange-state.ts'
import { createLegacyExchange } from './legacy/legacy-exchange.ts'
import { createConnector, type OpenDirect, type PairedLink } from './pairing/connector.ts'
import { performHandshake } from './pairing/handshake.ts'
import { sendHello } from './pairing/hello.ts'
import { type InvitationKind, invite } from './pairing/invite.ts'
import { joinRoom } from './pairing/join.ts'
import type { ConfirmUnverified, PairingResult } from './pairing/pairing.ts'
import type { PairKeys, PortalRole } from './pairing/pake.ts'
import { defaultPortalOptions, type JoinInput } from './pairing/room-code.ts'
import { openSignalling, type ResumeToken, type Signalling, type SignallingDeps } from './pairing/signalling.ts'
import { closedState, type PersistedSlot, type Portal, type PortalState } from './portal-state.ts'
import { createFastExchange, type FastExchange } from './transfer/fast-exchange.ts'
import type { TransferJournal } from './transfer/transfer-journal.ts'

export interface PortalDeps extends Omit<SignallingDeps, 'clock'>, ReceiveStorage {
  readonly clock?: Clock
  readonly openDirect: OpenDirect
  /** What the other device calls this one. */
  readonly deviceName: string
  readonly confirmUnverified: ConfirmUnverified
  readonly journal?: TransferJournal
  /** Persists what a later page needs to reconnect; called with null once there is nothing to reconnect to. */
  readonly persistSlot?: (slot: PersistedSlot | null) => void
}

/** The outcome of a pairing, made by this page or an earlier one. */
interface PairedPeer extends Pick<PersistedSlot, 'mode' | 'peerName' | 'pictures' | 'isRelayOnly'> {
  readonly again: CryptoKey | null
  /** Null without a PAKE, and before re-pairing. */
  readonly keys: PairKeys | null
}

/** Creates a portal between two devices, which opens or joins a room, reconnects lost links and closes. */
export function createPortal(deps: PortalDeps): Portal {
  const { clock = systemClock } = deps
  const subject = createSubject<PortalState>(closedState)
  const set = (change: Partial<PortalState>) => subject.set({ ...subject.current(), ...change })
  const usedUpCodes = new Set<string>()
  const codesFromAddresses = new Set<string>()
  let lastOptions = defaultPortalOptions
  let resolveKind: ((kind: InvitationKind) => void) | null = null
  let active: {
    stopController: AbortController
    exchange: (Exchange & Partial<FastExchange>) | null
    link: Link | null
  } | null = null

  /** Runs one portal from signalling to its end; one at a time. */
  function start(role: PortalRole, pair: EstablishPairing, resumeToken: ResumeToken | null = null): void {
    if (active) return
    const current = { stopController: new AbortController(), exchange: null, link: null }
    active = current
    const signal = current.stopController.signal
    subject.set({ ...closedState, mode: 'connecting', role })
    let signalling: Signalling | null = null
    const run = async () => {
      signalling = await openSignalling({ ...deps, clock }, resumeToken)
      const peer = await pair(signalling, signal)
      await keepConnected({ signalling, peer, role, isReconnect: resumeToken !== null })
    }
    run()
      .catch((error: unknown) => {
        if (!signal.aborted) end(toPortalError(error, role, subject.current().isConnected))
      })
      .finally(() => {
        signalling?.send({ type: 'px-leave' })
        signalling?.close()
      })
      .catch((error) => ignore(error, 'the portal has ended'))
  }

  async function keepConnected({ signalling, peer, role, isReconnect }: KeepConnectedInput): Promise<void> {
    const current = active
    if (!current) return
    const signal = current.stopController.signal
    let legacy: ReturnType<typeof createLegacyExchange> | null = null
    let fast: FastExchange | null = null
    const connector = createConnector({
      ...deps,
      clock,
      signalling,
      ...peer,
      role,
      signal,
      onFileSignal: (message) => legacy?.handleSignal(message),
      onPeerLeft: () => end(null),
    })
    signal.addEventListener('abort', () => connector.close(), { once: true })

    /** Negotiates the protocol on a link and starts or resumes the exchange. False when a later link cannot be used. */
    async function attachLink({ link, keys }: PairedLink, isFirst: boolean): Promise<boolean> {
      const pendingHandshake = performHandshake({
        link,
        clock,
        signal,
        mayBeLegacy: peer.again === null,
        onClosed: () => end(null),
      })
      const handshake = await (isFirst ? pendingHandshake : pendingHandshake.catch(failLaterLink))
      if (!handshake) return false
      if (handshake.profile === 'legacy') {
        if (peer.again) throw new PortalError('CONNECTION_TIMEOUT')
        legacy = createLegacyExchange({ ...deps, link, clock, sendSignal: signalling.send })
        handshake.onMessage(legacy.handleMessage)
        trackExchange(legacy)
        return true
      }
      handshake.onMessage(() => undefined)
      const pendingHello = sendHello({ link, role, keys, clock, signal })
      const hello = await (isFirst ? pendingHello : pendingHello.catch(failLaterLink))
      if (!hello) return false
      fast ??= trackExchange(createFastExchange({ ...deps, clock, peerName: peer.peerName }))
      fast.attach(hello.link, hello.fileKeys)
      set({ sasEmoji: hello.sasEmoji })
      return true
    }

    for (let isFirst = !isReconnect; !signal.aborted; isFirst = false) {
      const paired = await connector.connect({ isFirst })
      current.link = paired.link
      if (!(await attachLink(paired, isFirst))) {
        paired.link.close()
        continue
      }
      setConnected(peer, paired.link)
      persistSlot(peer, role, signalling.resumeToken())
      await untilAborted(AbortSignal.any([paired.link.lost, signal]))
      if (signal.aborted) return
      if (!peer.again) throw new PortalError('CHANNEL_LOST')
      set({ isConnected: false, path: null })
    }
  }

  function setConnected({ peerName, mode: verifiedBy }: PairedPeer, link: Link): void {
    const { mode } = subject.current()
    set({
      mode: mode === 'connecting' ? 'connected' : mode,
      isConnected: true,
      peerName,
      verifiedBy,
      path: link.isRelayed ? 'relayed' : 'direct',
    })
  }

  /** Persists the portal for a later page. Devices that were not verified cannot re-pair. */
  function persistSlot({ mode, again, ...peer }: PairedPeer, role: PortalRole, seat: ResumeToken | null): void {
    if (!seat || !again) return
    const { peerName, pictures, isRelayOnly } = peer
    deps.persistSlot?.({ role, seat, again, mode, peerName, pictures, isRelayOnly })
  }

  function trackExchange<Any extends Exchange>(exchange: Any): Any {
    if (active) active.exchange = exchange
    exchange.state.subscribe(() => {
      if (active?.exchange === exchange) set({ exchange: exchange.state.current() })
    })
    return exchange
  }

  /** Returns to the menu; `error` is null when one of the devices closed the portal. */
  function end(error: PortalState['error'], closedByPeer = error === null): void {
    const current = active
    if (!current) return
    active = null
    const reason = error ?? new PortalError('CANCELLED')
    // Transfers stay resumable after an error, not after a deliberate close.
    current.exchange?.stop(reason, error !== null)
    deps.persistSlot?.(null)
    current.stopController.abort(reason)
    current.link?.close()
    subject.set({ ...closedState, error, closedByPeer })
  }

  /** A code that was ever part of a URL may be known to the server, even if it is typed later. */
  function withAddressFlag(input: JoinInput): JoinInput {
    if (!('pin' in input)) return input
    if (input.isFromAddress) codesFromAddresses.add(input.pin)
    return { ...input, isFromAddress: codesFromAddresses.has(input.pin) }
  }

  /** Shows no code until the user has chosen between a code and a link. */
  async function chooseInvitationKind(ended: AbortSignal): Promise<InvitationKind> {
    const choice = Promise.withResolvers<InvitationKind>()
    resolveKind = choice.resolve
    set({ invitation: null, notice: null, isCodeLimitReached: true })
    try {
      return await raceAbort(choice.promise, ended)
    } finally {
      resolveKind = null
    }
  }

  /** Waits for a link that is being established. */
  async function waitUntilConnected(signal: AbortSignal): Promise<void> {
    const timeoutMs = legacyPortalLimits.readyBeforeSendMs
    const connected = withDeadline({ clock, timeoutMs, signal }, (ended) =>
      waitUntil(subject, () => subject.current().isConnected, ended),
    )
    await withTimeoutError(connected, 'NOT_READY')
  }

  function create(options = defaultPortalOptions): void {
    if (active) return
    lastOptions = options
    start('creator', async (signalling, signal) => ({
      ...toPairedPeer(
        await invite({ ...deps, signalling, signal }, options, {
          onInvitation: (invitation) => set({ mode: 'create', invitation, isCodeLimitReached: false }),
          onRejected: (notice) => set({ notice }),
          chooseKind: () => chooseInvitationKind(AbortSignal.any([signal, signalling.lost])),
        }),
      ),
      isRelayOnly: options.relayOnly,
    }))
  }

  return {
    state: subject,
    create,
    createAgain: () => create(lastOptions),
    join: (input) =>
      start('joiner', async (signalling, signal) => {
        set('pin' in input ? { invitation: { pin: input.pin } } : { joinedPrefix: input.prefix })
        return toPairedPeer(await joinRoom({ ...deps, signalling, signal, input: withAddressFlag(input), usedUpCodes }))
      }),
    renewInvitation: (kind) => resolveKind?.(kind),
    reconnect: (slot) => start(slot.role, async () => ({ ...slot, keys: null }), slot.seat),
    async resume(interrupted, files) {
      if (active) await waitUntilConnected(active.stopController.signal)
      if (!active?.exchange?.resume) throw new PortalError('NO_CONNECTION')
      await active.exchange.resume(interrupted, files)
    },
    async send(files) {
      if (!active) throw new PortalError('NO_CONNECTION')
      await waitUntilConnected(active.stopController.signal)
      if (!active?.exchange) throw new PortalError('NO_CONNECTION')
      await active.exchange.send(files)
    },
    answer: (isAccepted) => active?.exchange?.answer(isAccepted),
    cancel: (direction) => active?.exchange?.cancel(direction),
    dismiss: () => set({ error: null, notice: null, closedByPeer: false }),
    close() {
      try {
        active?.link?.main.send(JSON.stringify({ type: 'portal-closed' }))
      } catch (error) {
        ignore(error, 'the link is lost; the server notifies the other device')
      }
      end(null, false)
    },
  }
}

type EstablishPairing = (signalling: Signalling, signal: AbortSignal) => Promise<PairedPeer>

interface KeepConnectedInput {
  readonly signalling: Signalling
  readonly peer: PairedPeer
  readonly role: PortalRole
  /** Whether this reconnects to the portal of an earlier page. */
  readonly isReconnect: boolean
}

const toPairedPeer = ({ peerName, pake }: PairingResult): PairedPeer => ({
  peerName,
  mode: pake?.mode ?? null,
  again: pake?.keys.rePairingKey ?? null,
  keys: pake?.keys ?? null,
  pictures: pake?.keys.sasEmoji ?? [],
  isRelayOnly: false,
})

/** A link after the first that fails is replaced by the next one. */
const failLaterLink = (error: unknown): null => ignore(error, 'the next link is tried') ?? null

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The error to show for a portal that could not be opened or joined. */
export function toPortalError(error: unknown, role: PortalRole, wasConnected: boolean): PortalError | ApiError {
  if (error instanceof PortalError) return error
  if (error instanceof ApiError && error.serverMessage !== '') return error
  const isCreator = role === 'creator'
  if (error instanceof NetworkError) return new PortalError(isCreator ? 'CANNOT_CREATE' : 'CANNOT_REACH')
  if (wasConnected) return new PortalError('UNKNOWN')
  return new PortalError(isCreator ? 'ROOM_CREATION_FAILED' : 'ROOM_JOIN_FAILED')
}
