import { classicPortalLimits, portalLimits } from '@sallyport/contract/limits'
import { type Clock, isTimeout, systemClock, unlessAborted, withDeadline } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { type Link, type OutgoingFile, PortalError } from './channel.ts'
import { createClassicExchange } from './classic/classic-exchange.ts'
import type { Exchange, ExchangeState, Shelf } from './exchange-state.ts'
import type { Broken } from './fast/departing.ts'
import { createFastExchange, type FastExchange } from './fast/fast-exchange.ts'
import type { TransferNotes } from './fast/transfer-notes.ts'
import { createConnector, type Line } from './meeting/connect.ts'
import type { OpenDirect } from './meeting/direct-attempt.ts'
import { greet } from './meeting/greet.ts'
import { shakeHands } from './meeting/handshake.ts'
import { awaitPair, joinRoom, openRoom, type Pair } from './meeting/meet.ts'
import { type PortalOptions, usualOptions } from './meeting/options.ts'
import type { PairKeys, PortalRole } from './meeting/proof.ts'
import type { Invitation, JoinInput } from './meeting/room-code.ts'
import { openSignalling, type Seat, type Signalling, type SignallingParts } from './meeting/signalling.ts'
import type { ConfirmUnverified } from './meeting/unverified.ts'
import { portalTexts } from './texts.ts'
import { troubleOf } from './trouble.ts'

export interface PortalParts extends Omit<SignallingParts, 'clock'>, Shelf {
  readonly clock?: Clock
  readonly openDirect: OpenDirect
  /** What the other device calls this one. */
  readonly deviceName: string
  readonly confirmUnverified: ConfirmUnverified
  readonly notes?: TransferNotes
  /** Told where this device sits once it is connected, and null once there is nothing to come back to. */
  readonly keepPlace?: (place: KeptPlace | null) => void
}

/** With this a later page comes back to a portal, while the server keeps its seat. */
export interface KeptPlace {
  readonly role: PortalRole
  readonly seat: Seat
  /** Proves to the other device that it has met this one; gives no bytes out. */
  readonly again: CryptoKey
  /** Null where the server may know the code that was proved. */
  readonly mode: 'pin' | 'link' | null
  readonly peerName: string
  readonly pictures: readonly string[]
  /** Whether the other device is to learn no address of this one. */
  readonly isRelayOnly: boolean
}

/** Two devices that have met, now or before. */
interface Met extends Pick<KeptPlace, 'mode' | 'peerName' | 'pictures' | 'isRelayOnly'> {
  readonly again: CryptoKey | null
  /** Null where nothing was proved, or not yet again. */
  readonly keys: PairKeys | null
}

/** What both people see of their portal. */
export interface PortalState {
  readonly mode: 'menu' | 'connecting' | 'create' | 'connected'
  readonly role: PortalRole | null
  /** What this device shows, or the code it has joined by. */
  readonly invitation: Invitation | { readonly pin: string } | null
  /** The digits that name the room of the link that this device has joined by. */
  readonly joinedPrefix: string | null
  /** Whether codes were used up so often that no further one is drawn until `renewInvitation` is called. */
  readonly isGuessed: boolean
  readonly isConnected: boolean
  readonly peerName: string
  /** How the other device was proved to be the right one. */
  readonly proved: 'link' | 'pin' | null
  readonly path: 'direct' | 'relayed' | null
  /** The same four on both screens when nobody stands in between; none toward a device that knows only the basic protocol. */
  readonly pictures: readonly string[]
  /** Why the portal could not be opened, or is no more. */
  readonly trouble: string | null
  /** Something to know that ends nothing. */
  readonly notice: string | null
  readonly closedByPeer: boolean
  readonly exchange: ExchangeState
}

export interface Portal {
  readonly state: Observable<PortalState>
  create(options?: PortalOptions): void
  join(by: JoinInput): void
  /** Draws a further code, or a link that the digits alone do not open, after codes were used up. */
  renewInvitation(kind: InvitationKind): void
  /** Comes back to where an earlier page was. */
  comeBack(place: KeptPlace): void
  /** Goes on with what an earlier page has begun to send, with the same files. Rejects with a `PortalError`. */
  goOn(broken: Broken, files: readonly OutgoingFile[]): Promise<void>
  /** Rejects with a `PortalError`. */
  send(files: readonly OutgoingFile[]): Promise<void>
  answer(isAccepted: boolean): void
  /** Gives up the transfer in one direction; the portal stands. */
  cancel(direction: 'sending' | 'receiving'): void
  dismiss(): void
  close(): void
}

/** What a creator waits with. */
export type InvitationKind = 'code' | 'link'

const noExchange: ExchangeState = { offer: null, sending: null, receiving: null }
const closed: PortalState = {
  mode: 'menu',
  role: null,
  invitation: null,
  joinedPrefix: null,
  isGuessed: false,
  isConnected: false,
  peerName: '',
  proved: null,
  path: null,
  pictures: [],
  trouble: null,
  notice: null,
  closedByPeer: false,
  exchange: noExchange,
}

/** A portal between two devices: opened or joined, connected again when the line is lost, and closed. */
export function createPortal(parts: PortalParts): Portal {
  const { clock = systemClock, deviceName, origin } = parts
  const subject = createSubject<PortalState>(closed)
  const set = (change: Partial<PortalState>) => subject.set({ ...subject.current(), ...change })
  const usedUp = new Set<string>()
  const codesFromAddresses = new Set<string>()
  let chooseKind: ((kind: InvitationKind) => void) | null = null
  let visit: { over: AbortController; exchange: (Exchange & Partial<FastExchange>) | null; link: Link | null } | null =
    null

  /** Runs one visit from its first word to its end; only one at a time. */
  function begin(role: PortalRole, meet: Meet, seat: Seat | null = null): void {
    if (visit) return
    const current = { over: new AbortController(), exchange: null, link: null }
    visit = current
    const signal = current.over.signal
    subject.set({ ...closed, mode: 'connecting', role })
    let signalling: Signalling | null = null
    const run = async () => {
      signalling = await openSignalling({ ...parts, clock }, seat)
      const met = await meet(signalling, signal)
      await stayConnected({ signalling, met, role, isBack: seat !== null })
    }
    run()
      .catch((error: unknown) => {
        if (!signal.aborted) end(troubleOf(error, role, subject.current().isConnected))
      })
      .finally(() => {
        signalling?.say({ type: 'px-leave' })
        signalling?.close()
      })
      .catch(() => undefined)
  }

  async function stayConnected({ signalling, met, role, isBack }: Connected): Promise<void> {
    const current = visit
    if (!current) return
    const signal = current.over.signal
    let basic: ReturnType<typeof createClassicExchange> | null = null
    let fast: FastExchange | null = null
    const connector = createConnector({
      ...parts,
      clock,
      signalling,
      ...met,
      role,
      signal,
      onOther: (message) => basic?.hearSignal(message),
      onLeft: () => end(null),
    })
    signal.addEventListener('abort', () => connector.close(), { once: true })

    /** Agrees on a protocol and begins it, or goes on with it. False where a later line is of no use yet. */
    async function speakOver({ link, keys }: Line, isFirst: boolean): Promise<boolean> {
      const shaken = shakeHands({ link, clock, signal, mayBeBasic: met.again === null, onClosed: () => end(null) })
      const hands = await (isFirst ? shaken : shaken.catch(() => null))
      if (!hands) return false
      if (hands.profile === 'basic') {
        if (met.again) throw new PortalError(portalTexts.connectionTimeout)
        basic = createClassicExchange({ ...parts, link, clock, signal: signalling.say })
        hands.listen(basic.hear)
        follow(basic)
        return true
      }
      hands.listen(() => undefined)
      const greeting = greet({ link, role, keys, clock, signal })
      const greeted = await (isFirst ? greeting : greeting.catch(() => null))
      if (!greeted) return false
      fast ??= follow(createFastExchange({ ...parts, clock, peerName: met.peerName }))
      fast.attach(greeted.link, greeted.fileKeys)
      set({ pictures: greeted.pictures })
      return true
    }

    for (let isFirst = !isBack; !signal.aborted; isFirst = false) {
      const line = await connector.connect({ isFirst })
      current.link = line.link
      if (!(await speakOver(line, isFirst))) {
        line.link.close()
        continue
      }
      showConnected(met, line.link)
      keepPlace(met, role, signalling.seat())
      await untilAborted(AbortSignal.any([line.link.lost, signal]))
      if (signal.aborted) return
      if (!met.again) throw new PortalError(portalTexts.channelLost)
      set({ isConnected: false, path: null })
    }
  }

  function showConnected({ peerName, mode: proved }: Met, link: Link): void {
    const { mode } = subject.current()
    set({
      mode: mode === 'connecting' ? 'connected' : mode,
      isConnected: true,
      peerName,
      proved,
      path: link.isRelayed ? 'relayed' : 'direct',
    })
  }

  /** Only a pair that has proved something can prove it again. */
  function keepPlace({ mode, again, ...met }: Met, role: PortalRole, seat: Seat | null): void {
    if (!seat || !again) return
    const { peerName, pictures, isRelayOnly } = met
    parts.keepPlace?.({ role, seat, again, mode, peerName, pictures, isRelayOnly })
  }

  function follow<Any extends Exchange>(exchange: Any): Any {
    if (visit) visit.exchange = exchange
    exchange.state.subscribe(() => {
      if (visit?.exchange === exchange) set({ exchange: exchange.state.current() })
    })
    return exchange
  }

  /** Back to the menu; without trouble when one of the two devices has closed the portal. */
  function end(trouble: string | null, closedByPeer = trouble === null): void {
    const current = visit
    if (!current) return
    visit = null
    const reason = new PortalError(trouble ?? portalTexts.cancelled)
    // What both could have gone on with is kept; what one of them has ended is not.
    current.exchange?.stop(reason, trouble !== null)
    parts.keepPlace?.(null)
    current.over.abort(reason)
    current.link?.close()
    subject.set({ ...closed, trouble, closedByPeer })
  }

  async function openAndWait(signalling: Signalling, signal: AbortSignal, options: PortalOptions): Promise<Pair> {
    const place = { signalling, origin, deviceName, signal, confirmUnverified: parts.confirmUnverified }
    let { linkOnly } = options
    // Counted here, because every number that the server answers may be false.
    for (let usedUp = 1; ; usedUp += 1) {
      const opened = await openRoom(place, linkOnly)
      set({ mode: 'create', invitation: opened, isGuessed: false })
      for (;;) {
        const outcome = await awaitPair(place, opened, { ...options, linkOnly })
        if (!('sentAway' in outcome)) return outcome
        set({ notice: outcome.sentAway })
        if (outcome.isCodeUsedUp) break
      }
      if (usedUp >= portalLimits.wrongCodes) linkOnly ||= (await askForKind(signalling, signal)) === 'link'
    }
  }

  /** A code that was in an address once stays known to the server, also where it is typed later. */
  function withOrigin(by: JoinInput): JoinInput {
    if (!('pin' in by)) return by
    if (by.isFromAddress) codesFromAddresses.add(by.pin)
    return { ...by, isFromAddress: codesFromAddresses.has(by.pin) }
  }

  /** Shows no code until the person has chosen how to go on. */
  async function askForKind(signalling: Signalling, signal: AbortSignal): Promise<InvitationKind> {
    const asked = Promise.withResolvers<InvitationKind>()
    chooseKind = asked.resolve
    set({ invitation: null, notice: null, isGuessed: true })
    try {
      return await unlessAborted(asked.promise, AbortSignal.any([signal, signalling.lost]))
    } finally {
      chooseKind = null
    }
  }

  /** Waits a moment for a line that is about to stand. */
  async function ready(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => subject.current().isConnected && resolve()
    const stop = subject.subscribe(look)
    look()
    try {
      const timeoutMs = classicPortalLimits.readyBeforeSendMs
      await withDeadline({ clock, timeoutMs, signal }, (ended) => unlessAborted(promise, ended))
    } catch (error) {
      throw isTimeout(error) ? new PortalError(portalTexts.notReady) : error
    } finally {
      stop()
    }
  }

  return {
    state: subject,
    create: (options = usualOptions) =>
      begin('creator', async (signalling, signal) => ({
        ...metBy(await openAndWait(signalling, signal, options)),
        isRelayOnly: options.relayOnly,
      })),
    join: (by) =>
      begin('joiner', async (signalling, signal) => {
        set('pin' in by ? { invitation: { pin: by.pin } } : { joinedPrefix: by.prefix })
        return metBy(await joinRoom({ ...parts, signalling, signal, by: withOrigin(by), usedUp }))
      }),
    renewInvitation: (kind) => chooseKind?.(kind),
    comeBack: (place) => begin(place.role, async () => ({ ...place, keys: null }), place.seat),
    async goOn(broken, files) {
      if (visit) await ready(visit.over.signal)
      if (!visit?.exchange?.goOn) throw new PortalError(portalTexts.noConnection)
      await visit.exchange.goOn(broken, files)
    },
    async send(files) {
      if (!visit) throw new PortalError(portalTexts.noConnection)
      await ready(visit.over.signal)
      if (!visit?.exchange) throw new PortalError(portalTexts.noConnection)
      await visit.exchange.send(files)
    },
    answer: (isAccepted) => visit?.exchange?.answer(isAccepted),
    cancel: (direction) => visit?.exchange?.cancel(direction),
    dismiss: () => set({ trouble: null, notice: null, closedByPeer: false }),
    close() {
      try {
        visit?.link?.main.send(JSON.stringify({ type: 'portal-closed' }))
      } catch {
        // The line is gone already; the server tells the other device.
      }
      end(null, false)
    },
  }
}

type Meet = (signalling: Signalling, signal: AbortSignal) => Promise<Met>

interface Connected {
  readonly signalling: Signalling
  readonly met: Met
  readonly role: PortalRole
  /** Whether an earlier page was connected already. */
  readonly isBack: boolean
}

const metBy = ({ peerName, proof }: Pair): Met => ({
  peerName,
  mode: proof?.mode ?? null,
  again: proof?.keys.again ?? null,
  keys: proof?.keys ?? null,
  pictures: proof?.keys.pictures ?? [],
  isRelayOnly: false,
})

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
