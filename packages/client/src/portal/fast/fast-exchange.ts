import { classicPortalLimits } from '@sallyport/contract/limits'
import { type Bytes, fromBase64url, portalDigest, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { type Clock, isTimeout, unlessAborted, withDeadline } from '../../clock.ts'
import { type Link, type OutgoingFile, PortalError } from '../channel.ts'
import { createExchangeState, type Exchange, type Shelf } from '../exchange-state.ts'
import { offeredFiles, placedFiles } from '../placed-files.ts'
import { portalTexts } from '../texts.ts'
import { type FastMessage, longestSaidBytes, type RejectReason, readFastMessage, type Said } from './fast-messages.ts'
import { createFastReceiver, createIncoming, haveOf, type Incoming, keptBytes } from './fast-receive.ts'
import { createFastSender, createOutgoing, type Outgoing } from './fast-send.ts'
import { createBlockKeeper } from './kept-blocks.ts'
import { arrivalOf, departureOf, findArrival } from './taken-up.ts'
import { noNotes, type TransferNotes } from './transfer-notes.ts'

/** Closes file keys up for the other device, and opens those that come from it. */
export interface KeyWrap {
  wrap(key: Bytes): Promise<string>
  unwrap(wrapped: string): Promise<Bytes>
}

interface Line {
  readonly link: Link
  readonly keys: KeyWrap
}

interface Parts extends Shelf {
  readonly clock: Clock
  readonly notes?: TransferNotes
  /** What the other device is called. */
  readonly peerName?: string
}

/** A transfer of an earlier page. */
export interface Broken {
  readonly tid: string
  readonly secret: string
}

export interface FastExchange extends Exchange {
  /** Goes on over this link, with whatever was under way, and with the keys that belong to the link. */
  attach(link: Link, keys: KeyWrap): void
  /** Goes on with what an earlier page has begun to send, with the same files. Otherwise like `send`. */
  goOn(broken: Broken, files: readonly OutgoingFile[]): Promise<void>
}

type Progress = ReturnType<ReturnType<typeof createExchangeState>['follow']>

interface Taking {
  readonly incoming: Incoming
  readonly progress: Progress
  readonly keeper: ReturnType<typeof createBlockKeeper>
  readonly cancelled: AbortController
}

const goneForMs = 10 * 60_000

/** The protocol between two of ours. A transfer outlives the link it began on, and goes on over the next one. */
export function createFastExchange(parts: Parts): FastExchange {
  const { clock, sinkOf, hasRoomFor, notes = noNotes, peerName = '' } = parts
  const { subject, set, follow } = createExchangeState(clock)
  const over = new AbortController()
  let line: Line | null = null
  let lined = Promise.withResolvers<Line>()
  let sender: { readonly tid: string; hear(message: FastMessage): void } | null = null
  let cancelSending: () => void = () => undefined
  let receiver: ReturnType<typeof createFastReceiver> | null = null
  let taking: Taking | null = null
  let pending: Said<'px-offer'> | null = null
  let unanswered = new AbortController()
  let isForLater = false
  /** Transfers that are whole here; whoever sent them may not have heard so. */
  const whole = new Map<string, number>()

  const say = (message: FastMessage) => line?.link.control.send(JSON.stringify(message))

  async function send(files: readonly OutgoingFile[], broken?: Broken): Promise<void> {
    const secret = broken && fromBase64url(broken.secret)
    const outgoing = createOutgoing(broken?.tid ?? toBase64url(randomBytes(16)), files, secret)
    const { tid } = outgoing
    const progress = follow('sending', files, 'asking')
    const cancelled = new AbortController()
    const given = AbortSignal.any([over.signal, cancelled.signal])
    cancelSending = () => {
      say({ type: 'px-cancel', tid, code: 'user' })
      cancelled.abort(new PortalError(portalTexts.cancelled))
    }
    try {
      let isAccepted = false
      while (outgoing.done.size < files.length) {
        const present = await withDeadline({ clock, timeoutMs: goneForMs, signal: given }, () => lined.promise)
        isAccepted = await sendOver(present, { outgoing, progress, isAccepted, given })
      }
      await notes.end(tid)
      progress.complete()
    } catch (error) {
      if (!isForLater) await notes.end(tid)
      const known = isTimeout(error) ? new PortalError(portalTexts.channelLost) : error
      progress.fail(known)
      throw known
    } finally {
      sender = null
      cancelSending = () => undefined
    }
  }

  interface Round {
    readonly outgoing: Outgoing
    readonly progress: Progress
    readonly isAccepted: boolean
    /** Aborted when nobody wants the files to go any more. */
    readonly given: AbortSignal
  }

  /** Answers whether the offer stands accepted; comes back early when the link is lost. */
  async function sendOver({ link, keys }: Line, { outgoing, progress, isAccepted, given }: Round): Promise<boolean> {
    const { tid, files, chunk } = outgoing
    const signal = AbortSignal.any([given, link.lost])
    const answer = Promise.withResolvers<Said<'px-accept'>>()
    answer.promise.catch(() => undefined)
    const machine = createFastSender({
      outgoing,
      link,
      clock,
      signal,
      wrapKey: keys.wrap,
      onProgress(file, bytes) {
        progress.progress(file, bytes)
        notes.progress(tid, progress.bytes())
      },
    })
    sender = {
      tid,
      hear(message) {
        if (message.type === 'px-accept') answer.resolve(message)
        if (message.type === 'px-reject') answer.reject(new PortalError(refusalOf(message.reason)))
        machine.hear(message)
      },
    }
    try {
      const proof = await keys.wrap(outgoing.secret)
      say({ type: 'px-offer', tid, files: offeredFiles(files), chunk, block: 1_048_576, proof })
      const timeoutMs = classicPortalLimits.acceptTimeoutMs
      const { have = [] } = await withDeadline({ clock, timeoutMs, signal }, (ended) =>
        unlessAborted(answer.promise, ended),
      )
      if (!isAccepted) {
        progress.show({ phase: 'encrypting' })
        await notes.depart(departureOf(outgoing, peerName), files)
      }
      await machine.run(have)
      return true
    } catch (error) {
      if (link.lost.aborted && !given.aborted) return isAccepted
      throw isTimeout(error) ? new PortalError(portalTexts.rejected) : error
    }
  }

  async function takeOffer(offer: Said<'px-offer'>): Promise<void> {
    const { tid } = offer
    if (taking?.incoming.tid === tid) receiveOver(taking)
    else if (whole.has(tid)) confirm(tid, whole.get(tid) ?? 0)
    else if (pending?.tid !== tid && (pending || taking)) say({ type: 'px-reject', tid, reason: 'busy' })
    else if (!pending && !(await takeUp(offer))) await ask(offer)
  }

  /** Goes on with what an earlier page has left, where it is the same sender with the same files. */
  async function takeUp(offer: Said<'px-offer'>): Promise<boolean> {
    pending = offer
    const proof = await proofOf(offer).catch(() => '')
    const found = await findArrival(notes, { offer, proof, sinkOf })
    pending = null
    if (found) take(found)
    return found !== null
  }

  async function proofOf({ proof }: Said<'px-offer'>): Promise<string> {
    const secret = proof !== undefined && line ? await line.keys.unwrap(proof) : null
    return secret ? toBase64url(await portalDigest(secret)) : ''
  }

  /** Asks the person, unless there is no room anyway. */
  async function ask(offer: Said<'px-offer'>): Promise<void> {
    const files = placedFiles(offer.files)
    const total = files.reduce((sum, { size }) => sum + size, 0)
    const asked = { ...offer, files }
    pending = asked
    const hasRoom = await hasRoomFor(total)
    if (pending !== asked) return
    if (!hasRoom) {
      pending = null
      say({ type: 'px-reject', tid: offer.tid, reason: 'no-space' })
      follow('receiving', files, 'asking').fail(new PortalError(portalTexts.noSpaceHere))
      return
    }
    set({ offer: { files, total } })
    unanswered = new AbortController()
    clock.wait(classicPortalLimits.acceptTimeoutMs, unanswered.signal).then(
      () => answer(false),
      () => undefined,
    )
  }

  function confirm(tid: string, files: number): void {
    for (let f = 0; f < files; f += 1) say({ type: 'px-done', tid, f })
    say({ type: 'px-accept', tid })
  }

  function answer(isAccepted: boolean): void {
    const offer = pending
    if (!offer || !subject.current().offer) return
    pending = null
    unanswered.abort()
    set({ offer: null })
    if (!isAccepted) {
      say({ type: 'px-reject', tid: offer.tid, reason: 'user' })
      return
    }
    accept(offer).catch(() => undefined)
  }

  async function accept(offer: Said<'px-offer'>): Promise<void> {
    const proof = await proofOf(offer).catch(() => '')
    const incoming = createIncoming(offer, sinkOf, proof)
    take(incoming)
    const note = arrivalOf(incoming, peerName)
    if (note.places.some((place) => place !== null)) await notes.arrive(note)
  }

  function take(incoming: Incoming): void {
    const files = incoming.files.map(({ offered }) => offered)
    const progress = follow('receiving', files, 'transferring')
    const keeper = createBlockKeeper({ incoming, notes, clock })
    taking = { incoming, progress, keeper, cancelled: new AbortController() }
    for (const [index, file] of incoming.files.entries()) {
      if (file.kept.some(Boolean)) progress.progress(index, keptBytes(file))
    }
    receiveOver(taking)
  }

  /** Begins to receive over the present link, or goes on there; waits for the next one where there is none. */
  function receiveOver(current: Taking): void {
    if (!line) return
    const { link, keys } = line
    const { incoming, progress, keeper, cancelled } = current
    const signal = AbortSignal.any([over.signal, cancelled.signal, link.lost])
    const machine = createFastReceiver({
      incoming,
      link,
      clock,
      signal,
      unwrapKey: keys.unwrap,
      onKept: keeper.kept,
      onDone: (file) => void notes.finish(incoming.tid, file),
      onProgress(file, bytes) {
        progress.progress(file, bytes)
        notes.progress(incoming.tid, progress.bytes())
      },
    })
    receiver = machine
    machine.done.then(
      () => settle(current, null),
      (error: unknown) => {
        // What the link took with it may go on over the next one.
        if (link.lost.aborted && !over.signal.aborted) return
        settle(current, error)
      },
    )
    for (const [f, { isDone }] of incoming.files.entries()) if (isDone) say({ type: 'px-done', tid: incoming.tid, f })
    const have = haveOf(incoming)
    const isSayable = have.length > 0 && JSON.stringify(have).length <= longestSaidBytes
    say({ type: 'px-accept', tid: incoming.tid, ...(isSayable && { have }) })
  }

  function settle(current: Taking, error: unknown): void {
    if (taking !== current) return
    const { incoming, progress } = current
    taking = null
    receiver = null
    if (!isForLater) notes.end(incoming.tid).catch(() => undefined)
    if (error === null) {
      whole.set(incoming.tid, incoming.files.length)
      progress.complete()
      return
    }
    progress.fail(error)
    for (const { sink, isDone } of incoming.files) {
      const isLeft = isForLater && sink.place !== undefined && sink.leave !== undefined
      if (!isDone) (isLeft ? sink.leave?.() : sink.discard())?.catch(() => undefined)
    }
  }

  function hear(text: string): void {
    const message = readFastMessage(text)
    if (!message || !('tid' in message)) return
    if (message.type === 'px-offer') takeOffer(message).catch(() => undefined)
    if (message.tid === sender?.tid) sender.hear(message)
    if (message.tid === taking?.incoming.tid) receiver?.hear(message)
    if (message.type === 'px-cancel' && message.tid === pending?.tid) answer(false)
  }

  return {
    state: subject,
    send: (files) => send(files),
    goOn: (broken, files) => send(files, broken),
    answer,
    cancel(direction) {
      if (direction === 'sending') return cancelSending()
      if (!taking) return
      say({ type: 'px-cancel', tid: taking.incoming.tid, code: 'user' })
      const error = new PortalError(portalTexts.cancelled)
      taking.cancelled.abort(error)
      if (taking) settle(taking, error)
    },
    attach(link, keys) {
      if (link.lost.aborted) return
      const next = { link, keys }
      line = next
      lined.resolve(next)
      link.lost.addEventListener('abort', () => {
        if (line !== next) return
        line = null
        lined = Promise.withResolvers()
      })
      link.control.listen((data) => {
        if (typeof data === 'string') hear(data)
      })
      link.bulk.listen((data) => {
        if (typeof data !== 'string') receiver?.takeFrame(data)
      })
    },
    stop(error, isKept = false) {
      isForLater = isKept
      over.abort(error)
      if (taking) settle(taking, error)
      pending = null
      set({ offer: null })
    },
  }
}

const refusalOf = (reason: RejectReason): string => (reason === 'no-space' ? portalTexts.noSpace : portalTexts.rejected)
