import { classicPortalLimits } from '@sallyport/contract/limits'
import type { PassedOn } from '@sallyport/contract/portals'
import { safeFileName } from '@sallyport/crypto'
import type { Bytes } from '@sallyport/crypto/portal'
import { type Clock, isTimeout, unlessAborted, withDeadline } from '../../clock.ts'
import { type FileOffer, type Link, type OutgoingFile, PortalError } from '../channel.ts'
import { createExchangeState, type Exchange, type Shelf } from '../exchange-state.ts'
import { portalTexts } from '../texts.ts'
import { type ClassicMessage, readClassicMessage } from './classic-messages.ts'
import { createClassicReceiver } from './classic-receive.ts'
import { sendClassic } from './classic-send.ts'

interface Parts extends Shelf {
  readonly link: Link
  readonly clock: Clock
  /** Offers and answers go over the signalling socket here. */
  readonly signal: (message: PassedOn) => void
}

export interface ClassicExchange extends Exchange {
  hearSignal(message: PassedOn): void
  hear(data: string | Bytes): void
}

/** The protocol of the specification, toward a device that has announced nothing better. One file after the other. */
export function createClassicExchange({ link, clock, sinkOf, hasRoomFor, signal }: Parts): ClassicExchange {
  const { subject, set, follow } = createExchangeState(clock)
  const over = new AbortController()
  let sending: AbortController | null = null
  let answered: ((isAccepted: boolean) => void) | null = null
  let offered: FileOffer | null = null
  let unanswered = new AbortController()
  let receiver: ReturnType<typeof createClassicReceiver> | null = null

  const say = (message: ClassicMessage) => link.main.send(JSON.stringify(message))

  async function sendOne(file: OutgoingFile): Promise<void> {
    const progress = follow('sending', [file], 'asking')
    const ending = new AbortController()
    sending = ending
    const stopped = AbortSignal.any([over.signal, ending.signal])
    try {
      const { name: fileName, size: fileSize, mime: fileType } = file
      const answer = new Promise<boolean>((resolve) => {
        answered = resolve
      })
      signal({ type: 'file-offer', fileName, fileSize, fileType, isEncrypted: true })
      if (!(await firstOf(answer, classicPortalLimits.acceptTimeoutMs, stopped))) {
        throw new PortalError(portalTexts.rejected)
      }
      progress.show({ phase: 'encrypting' })
      const onProgress = (bytes: number) => progress.progress(0, bytes)
      await sendClassic({ file, main: link.main, clock, signal: stopped, onProgress })
      progress.complete()
    } catch (error) {
      progress.fail(error)
      if (!over.signal.aborted && !ending.signal.aborted) say({ type: 'transfer-reset' })
      throw error
    } finally {
      sending = null
      answered = null
    }
  }

  /** No answer in time counts as no. */
  async function firstOf(answer: Promise<boolean>, timeoutMs: number, stopped: AbortSignal): Promise<boolean> {
    try {
      return await withDeadline({ clock, timeoutMs, signal: stopped }, (ended) => unlessAborted(answer, ended))
    } catch (error) {
      if (isTimeout(error)) return false
      throw error
    }
  }

  function takeOffer({ fileName, fileSize, fileType }: Extract<PassedOn, { type: 'file-offer' }>): void {
    if (offered || !Number.isSafeInteger(fileSize)) signal({ type: 'file-reject' })
    else ask({ name: fileName, size: fileSize, mime: fileType }).catch(() => undefined)
  }

  /** Asks the person, unless there is no room anyway; not before the file that came last is kept. */
  async function ask(offer: FileOffer): Promise<void> {
    offered = offer
    unanswered = new AbortController()
    clock.wait(classicPortalLimits.acceptTimeoutMs, unanswered.signal).then(
      () => answer(false),
      () => undefined,
    )
    // Words over the server may overtake the last ones over the line.
    await receiver?.done.catch(() => undefined)
    const files = [named(offer)]
    const hasRoom = await hasRoomFor(offer.size)
    if (offered !== offer) return
    if (!hasRoom) {
      offered = null
      unanswered.abort()
      signal({ type: 'file-reject' })
      follow('receiving', files, 'asking').fail(new PortalError(portalTexts.noSpaceHere))
      return
    }
    set({ offer: { files, total: offer.size } })
  }

  function answer(isAccepted: boolean): void {
    const offer = offered
    if (!offer) return
    offered = null
    unanswered.abort()
    set({ offer: null })
    if (isAccepted) take(offer)
    else signal({ type: 'file-reject' })
  }

  /** The other device does not want to send it any more. */
  function withdraw(): void {
    offered = null
    unanswered.abort()
    set({ offer: null })
  }

  function take(offer: FileOffer): void {
    const progress = follow('receiving', [named(offer)], 'transferring')
    const taking = createClassicReceiver({
      offer,
      sink: sinkOf(named(offer)),
      onProgress: (bytes) => progress.progress(0, bytes),
    })
    receiver = taking
    taking.done
      .then(progress.complete, (error: unknown) => {
        progress.fail(error)
        if (!over.signal.aborted) say({ type: 'transfer-reset' })
      })
      .finally(() => {
        if (receiver === taking) receiver = null
      })
    signal({ type: 'file-accept' })
  }

  return {
    state: subject,
    async send(files) {
      for (const file of files) await sendOne(file)
    },
    answer,
    cancel(direction) {
      const error = new PortalError(portalTexts.cancelled)
      if (direction === 'receiving') return receiver?.stop(error)
      if (!sending) return
      say({ type: 'transfer-reset' })
      sending.abort(error)
    },
    stop(error) {
      over.abort(error)
      receiver?.stop(error)
      offered = null
      set({ offer: null })
    },
    hearSignal(message) {
      if (message.type === 'file-offer') takeOffer(message)
      if (message.type === 'file-accept') answered?.(true)
      if (message.type === 'file-reject') answered?.(false)
    },
    hear(data) {
      if (typeof data !== 'string') receiver?.takeChunk(data)
      const message = typeof data === 'string' ? readClassicMessage(data) : null
      if (message?.type === 'encryption-key') receiver?.takeKey(message)
      if (message?.type === 'transfer-complete') receiver?.takeEnd()
      if (message?.type !== 'transfer-reset') return
      sending?.abort(new PortalError(portalTexts.peerReset))
      receiver?.stop(new PortalError(portalTexts.peerReset))
      withdraw()
    },
  }
}

/** The key of a file comes under the name it was offered by; people and folders get a harmless one. */
const named = (offer: FileOffer): FileOffer => ({ ...offer, name: safeFileName(offer.name) })
