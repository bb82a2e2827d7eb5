import { ignore } from '@sallyport/contract/ignore'
import { type Bytes, fromBase64url } from '@sallyport/crypto/portal'
import { PortalError } from '../errors.ts'
import { createOfferPrompt, type ExchangeStateStore, type ReceiveStorage } from '../exchange-state.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { blockBytes } from './blocks.ts'
import type { ExchangeContext, KeyedLink } from './exchange-context.ts'
import { type FastMessage, type FastMessageOf, maxSentMessageBytes } from './fast-messages.ts'
import {
  createIncomingTransfer,
  deriveResumeCredentials,
  hasResumableState,
  haveOf,
  type IncomingTransfer,
  noCredentials,
  type ResumeCredentials,
  restoreIncoming,
  storedBytes,
  toPersistedIncoming,
} from './incoming.ts'
import { createLinkReceiver } from './link-receiver.ts'
import { sanitizeOfferedFiles } from './offered-files.ts'
import type { PersistedBlock } from './transfer-journal.ts'

interface ReceiverDeps extends ExchangeContext, ReceiveStorage, Pick<ExchangeStateStore, 'subject' | 'set'> {
  /** The open link, or null. */
  readonly currentLink: () => KeyedLink | null
}

interface ActiveReceive {
  readonly incoming: IncomingTransfer
  readonly progress: ReturnType<ExchangeStateStore['trackTransfer']>
  /** Journals a written block. */
  readonly addBlock: (f: number, block: number, digest: string) => void
  /** Resolves once the transfer is persisted, which may be after small files are complete. */
  readonly persisted: Promise<void>
  readonly cancelController: AbortController
}

type Offer = FastMessageOf<'px-offer'>

const flushBytes = 8 * blockBytes
const flushMs = 2000

/** Receives offered files once the user accepts, and resumes over each new link. */
export function createReceiver(deps: ReceiverDeps) {
  const { clock, journal, peerName, createSink, trackTransfer, sendMessage, stopSignal, isResumable, currentLink } =
    deps
  const prompt = createOfferPrompt(deps)
  let linkReceiver: ReturnType<typeof createLinkReceiver> | null = null
  let active: ActiveReceive | null = null
  /** The transfer that is being resumed or that the user is asked about. */
  let pendingTid: string | null = null
  /** File counts of completed transfers, whose senders may have missed the confirmation. */
  const completed = new Map<string, number>()

  async function handleOffer(offer: Offer): Promise<void> {
    const { tid } = offer
    if (active?.incoming.tid === tid) return receiveOverLink(active)
    if (completed.has(tid)) return confirmComplete(tid, completed.get(tid) ?? 0)
    if (pendingTid === tid) return
    if (pendingTid !== null || active) return sendMessage({ type: 'px-reject', tid, reason: 'busy' })
    pendingTid = tid
    const credentials = await readCredentials(offer)
    const restored = await restoreIncoming(journal, { offer, credentials, createSink })
    if (restored) startReceiving(restored, Promise.resolve())
    else await promptUser(offer, credentials)
  }

  /** Never rejects: without a secret the transfer works but cannot be resumed by another page. */
  async function readCredentials({ proof, tid }: Offer): Promise<ResumeCredentials> {
    try {
      const secret = proof === undefined ? null : await currentLink()?.keys.unwrap(proof)
      return secret ? await deriveResumeCredentials(secret, fromBase64url(tid)) : noCredentials
    } catch (error) {
      ignore(error, 'the secret is invalid or the link was lost')
      return noCredentials
    }
  }

  async function promptUser(offer: Offer, { proof, stagingKey }: ResumeCredentials): Promise<void> {
    const { tid, chunk } = offer
    const files = sanitizeOfferedFiles(offer.files)
    await prompt.ask(files, (answer) => {
      pendingTid = null
      if (answer === 'no-space') sendMessage({ type: 'px-reject', tid, reason: 'no-space' })
      if (answer === 'declined') sendMessage({ type: 'px-reject', tid, reason: 'user' })
      if (answer !== 'accepted') return
      const incoming = createIncomingTransfer(
        { tid, files, chunk },
        (file) => createSink(file, undefined, stagingKey),
        proof,
      )
      const isPersistent = hasResumableState(incoming)
      startReceiving(
        incoming,
        isPersistent ? journal.saveIncoming(toPersistedIncoming(incoming, peerName)) : Promise.resolve(),
      )
    })
  }

  function confirmComplete(tid: string, files: number): void {
    for (let f = 0; f < files; f += 1) sendMessage({ type: 'px-done', tid, f })
    sendMessage({ type: 'px-accept', tid })
  }

  function startReceiving(incoming: IncomingTransfer, persisted: Promise<void>): void {
    pendingTid = null
    const files = incoming.files.map(({ offered }) => offered)
    const progress = trackTransfer('receiving', files, 'transferring')
    active = {
      incoming,
      progress,
      addBlock: createBlockJournal(incoming),
      persisted,
      cancelController: new AbortController(),
    }
    for (const [index, file] of incoming.files.entries()) {
      progress.report(index, file.isDone ? file.offered.size : storedBytes(file), true)
    }
    receiveOverLink(active)
  }

  /** Journals stored blocks, but only after a flush, so that every journaled block survives a crash. */
  function createBlockJournal({ tid, files }: IncomingTransfer): ActiveReceive['addBlock'] {
    const pending: PersistedBlock[] = []
    const enqueue = createSerialQueue((error) => ignore(error, 'blocks that could not be journaled are sent again'))
    let flushedAt = clock.now()

    async function flush(): Promise<void> {
      const blocks = pending.splice(0)
      flushedAt = clock.now()
      const touched = new Set(blocks.map(({ f }) => f))
      await Promise.all([...touched].map((f) => files[f]?.sink.flush?.()))
      await journal.saveBlocks(tid, blocks)
    }

    return (f, block, digest) => {
      if (files[f]?.sink.storedName === undefined) return
      pending.push({ f, block, digest })
      if (pending.length * blockBytes >= flushBytes || clock.now() - flushedAt >= flushMs) enqueue(flush)
    }
  }

  /** Starts or resumes receiving over the current link; without one, the sender offers again over the next link. */
  function receiveOverLink(current: ActiveReceive): void {
    const keyedLink = currentLink()
    if (!keyedLink) return
    const { link, keys } = keyedLink
    const { incoming, progress, addBlock, persisted, cancelController } = current
    const { tid, files } = incoming
    linkReceiver = createLinkReceiver({
      incoming,
      link,
      clock,
      signal: AbortSignal.any([stopSignal, cancelController.signal, link.lost]),
      unwrapKey: keys.unwrap,
      onBlockStored: addBlock,
      onFileDone: (file) => void persisted.then(() => journal.saveFinished(tid, file)),
      onProgress(file, bytes) {
        progress.report(file, bytes)
        journal.saveProgress(tid, progress.bytes())
      },
    })
    linkReceiver.done.then(
      () => finish(current, null),
      (error: unknown) => {
        // A transfer interrupted by a lost link resumes over the next one.
        if (!link.lost.aborted || stopSignal.aborted) finish(current, error)
      },
    )
    for (const [f, { isDone }] of files.entries()) if (isDone) sendMessage({ type: 'px-done', tid, f })
    const have = haveOf(incoming)
    const fitsMessage = have.length > 0 && JSON.stringify(have).length <= maxSentMessageBytes
    sendMessage({ type: 'px-accept', tid, ...(fitsMessage && { have }) })
  }

  function finish(current: ActiveReceive, error: unknown): void {
    if (active !== current) return
    const { incoming, progress, persisted } = current
    active = null
    linkReceiver = null
    if (!isResumable())
      persisted
        .then(() => journal.remove(incoming.tid))
        .catch((reason) => ignore(reason, 'entries of ended transfers expire'))
    if (error === null) {
      completed.set(incoming.tid, incoming.files.length)
      progress.complete()
      return
    }
    progress.fail(error)
    for (const { sink, isDone } of incoming.files) {
      const isReleased = isResumable() && sink.storedName !== undefined && sink.release !== undefined
      if (!isDone)
        (isReleased ? sink.release?.() : sink.discard())?.catch((reason) =>
          ignore(reason, 'the transfer has failed anyway'),
        )
    }
  }

  return {
    answer: prompt.answer,
    handleMessage(message: FastMessage & { readonly tid: string }): void {
      if (message.type === 'px-offer')
        handleOffer(message).catch((error) => ignore(error, 'an offer that cannot be shown expires'))
      if (message.tid === active?.incoming.tid) linkReceiver?.handleMessage(message)
      if (message.type === 'px-cancel' && message.tid === pendingTid) prompt.answer(false)
    },
    handleFrame: (bytes: Bytes): void => linkReceiver?.handleFrame(bytes),
    cancel(): void {
      if (!active) return
      sendMessage({ type: 'px-cancel', tid: active.incoming.tid, code: 'user' })
      const error = new PortalError('CANCELLED')
      active.cancelController.abort(error)
      if (active) finish(active, error)
    },
    /** Stops everything because the portal has ended. */
    stop(error: Error): void {
      if (active) finish(active, error)
      prompt.withdraw()
    },
  }
}
