import { classicPortalLimits } from '@sallyport/contract/limits'
import { type Bytes, fromBase64url } from '@sallyport/crypto/portal'
import { PortalError } from '../channel.ts'
import type { ExchangeStateKeeper, Shelf } from '../exchange-state.ts'
import { placedFiles } from '../placed-files.ts'
import { portalTexts } from '../texts.ts'
import type { ExchangeParts, KeyedLink } from './exchange-parts.ts'
import { type FastMessage, longestSaidBytes, type Said } from './fast-messages.ts'
import { createFastReceiver } from './fast-receive.ts'
import { createIncoming, haveOf, type Incoming, keptBytes } from './incoming.ts'
import { createBlockKeeper } from './kept-blocks.ts'
import { noSecret, readShownSecret, type ShownSecret } from './shown-secret.ts'
import { arrivalOf, canGoOn, findArrival } from './taken-up.ts'

interface Parts extends ExchangeParts, Shelf, Pick<ExchangeStateKeeper, 'subject' | 'set'> {
  /** The link that stands, or null. */
  readonly line: () => KeyedLink | null
}

interface Taking {
  readonly incoming: Incoming
  readonly progress: ReturnType<ExchangeStateKeeper['follow']>
  readonly keeper: ReturnType<typeof createBlockKeeper>
  /** Settles once it is written down: small files may be whole before that. */
  readonly noted: Promise<void>
  readonly cancelled: AbortController
}

/** Takes what the other device offers, once the person has agreed, and goes on with it over one link after the other. */
export function createArriving(parts: Parts) {
  const { clock, notes, peerName, sinkOf, hasRoomFor, subject, set, follow, say, over, isForLater, line } = parts
  let receiver: ReturnType<typeof createFastReceiver> | null = null
  let taking: Taking | null = null
  let pending: Said<'px-offer'> | null = null
  let unanswered = new AbortController()
  /** Transfers that are whole here; whoever sent them may not have heard so. */
  const whole = new Map<string, number>()

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
    const shown = await secretIn(offer)
    const found = await findArrival(notes, { offer, shown, sinkOf })
    pending = null
    if (found) take(found, Promise.resolve())
    return found !== null
  }

  /** Never rejects: without a secret the transfer only cannot go on in another page. */
  async function secretIn({ proof, tid }: Said<'px-offer'>): Promise<ShownSecret> {
    try {
      const secret = proof === undefined ? null : await line()?.keys.unwrap(proof)
      return secret ? await readShownSecret(secret, fromBase64url(tid)) : noSecret
    } catch {
      return noSecret
    }
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
    const { proof, stagingKey } = await secretIn(offer)
    const incoming = createIncoming(offer, (file) => sinkOf(file, undefined, stagingKey), proof)
    take(incoming, canGoOn(incoming) ? notes.arrive(arrivalOf(incoming, peerName)) : Promise.resolve())
  }

  function take(incoming: Incoming, noted: Promise<void>): void {
    const files = incoming.files.map(({ offered }) => offered)
    const progress = follow('receiving', files, 'transferring')
    const keeper = createBlockKeeper({ incoming, notes, clock })
    taking = { incoming, progress, keeper, noted, cancelled: new AbortController() }
    for (const [index, file] of incoming.files.entries()) {
      progress.progress(index, file.isDone ? file.offered.size : keptBytes(file))
    }
    receiveOver(taking)
  }

  /** Begins to receive over the present link, or goes on there; waits for the next one where there is none. */
  function receiveOver(current: Taking): void {
    const present = line()
    if (!present) return
    const { link, keys } = present
    const { incoming, progress, keeper, noted, cancelled } = current
    const signal = AbortSignal.any([over, cancelled.signal, link.lost])
    const machine = createFastReceiver({
      incoming,
      link,
      clock,
      signal,
      unwrapKey: keys.unwrap,
      onKept: keeper.kept,
      onDone: (file) => void noted.then(() => notes.finish(incoming.tid, file)),
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
        if (link.lost.aborted && !over.aborted) return
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
    const { incoming, progress, noted } = current
    taking = null
    receiver = null
    if (!isForLater()) noted.then(() => notes.end(incoming.tid)).catch(() => undefined)
    if (error === null) {
      whole.set(incoming.tid, incoming.files.length)
      progress.complete()
      return
    }
    progress.fail(error)
    for (const { sink, isDone } of incoming.files) {
      const isLeft = isForLater() && sink.place !== undefined && sink.leave !== undefined
      if (!isDone) (isLeft ? sink.leave?.() : sink.discard())?.catch(() => undefined)
    }
  }

  return {
    answer,
    hear(message: FastMessage & { readonly tid: string }): void {
      if (message.type === 'px-offer') takeOffer(message).catch(() => undefined)
      if (message.tid === taking?.incoming.tid) receiver?.hear(message)
      if (message.type === 'px-cancel' && message.tid === pending?.tid) answer(false)
    },
    takeFrame: (bytes: Bytes): void => receiver?.takeFrame(bytes),
    cancel(): void {
      if (!taking) return
      say({ type: 'px-cancel', tid: taking.incoming.tid, code: 'user' })
      const error = new PortalError(portalTexts.cancelled)
      taking.cancelled.abort(error)
      if (taking) settle(taking, error)
    },
    /** The portal is over. */
    stop(error: PortalError): void {
      if (taking) settle(taking, error)
      pending = null
      set({ offer: null })
    },
  }
}
