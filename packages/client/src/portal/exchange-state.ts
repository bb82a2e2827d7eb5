import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { createThroughput } from '../throughput.ts'
import type { FileOffer, OutgoingFile, PortalSink } from './channel.ts'
import { PortalError } from './errors.ts'

type TransferPhase = 'asking' | 'encrypting' | 'transferring' | 'processing' | 'complete' | 'failed'

/** The visible state of one transfer. */
export interface TransferState {
  readonly phase: TransferPhase
  readonly fileName: string
  readonly bytes: number
  readonly total: number
  readonly bytesPerSecond: number
  /** Why it failed; absent when unknown. */
  readonly reason?: PortalError
}

export interface ExchangeState {
  /** Files that the other device offers and that await an answer. */
  readonly offer: { readonly files: readonly FileOffer[]; readonly total: number } | null
  readonly sending: TransferState | null
  readonly receiving: TransferState | null
}

/** File transfer between two devices of one portal, independent of the protocol. */
export interface Exchange {
  readonly state: Observable<ExchangeState>
  /** Resolves when the other device has received all files; rejects with a `PortalError` otherwise. */
  send(files: readonly OutgoingFile[]): Promise<void>
  /** Answers the pending offer, if any. */
  answer(isAccepted: boolean): void
  /** Cancels the transfer in one direction and notifies the other device. */
  cancel(direction: 'sending' | 'receiving'): void
  /** Stops the transfers in both directions. With `isResumable` a later page may resume them. */
  stop(error: Error, isResumable?: boolean): void
}

/**
 * Creates the sink of an accepted file, or reopens the one that an earlier page created under `storedName`. `key`, 32
 * bytes, encrypts the stored bytes; it is the same for every page that resumes the transfer and is never persisted.
 * Without a key nothing is stored for a later page.
 */
export type CreateSink = (file: FileOffer, storedName?: string, key?: Bytes | null) => PortalSink

/** Storage for accepted files. */
export interface ReceiveStorage {
  readonly createSink: CreateSink
  /** Whether this device has space for `bytes`. */
  readonly hasFreeSpaceFor: (bytes: number) => Promise<boolean>
}

/** Progress updates are throttled: rendering every block of a fast link would cost as much as transferring it. */
const updateIntervalMs = 250
/** A transfer without progress for this long is stalled. */
const stalledMs = 5000

export function createExchangeState(clock: Clock) {
  const subject = createSubject<ExchangeState>({ offer: null, sending: null, receiving: null })
  const set = (change: Partial<ExchangeState>) => subject.set({ ...subject.current(), ...change })

  /** Tracks one direction; the progress of all files of a transfer is summed. */
  function trackTransfer(direction: 'sending' | 'receiving', files: readonly FileOffer[], initialPhase: TransferPhase) {
    const total = totalBytes(files)
    const done = files.map(() => 0)
    let movedBytes = 0
    let earlierBytes = 0
    let movedAt = Number.NEGATIVE_INFINITY
    let isStallWatched = false
    let publishedAt = Number.NEGATIVE_INFINITY
    let publishedFile = -1
    let isUpdateScheduled = false
    const throughput = createThroughput(clock.now())
    let state: TransferState = {
      phase: initialPhase,
      fileName: files[0]?.name ?? '',
      bytes: 0,
      total,
      bytesPerSecond: 0,
    }
    const update = (change: Partial<TransferState>) => {
      state = { ...state, ...change }
      set({ [direction]: state })
    }
    update({})

    function publishProgress(file: number): void {
      publishedAt = clock.now()
      publishedFile = file
      const { bytesPerSecond } = throughput
      update({ phase: 'transferring', fileName: files[file]?.name ?? '', bytes: movedBytes, bytesPerSecond })
    }

    /** Publishes a skipped update after the interval, in case no further update follows. */
    async function publishProgressLater(file: number): Promise<void> {
      if (isUpdateScheduled) return
      isUpdateScheduled = true
      await clock.wait(updateIntervalMs)
      isUpdateScheduled = false
      if (state.phase === 'transferring' && state.bytes < movedBytes) publishProgress(file)
    }

    /** Shows no speed once nothing has moved for a while. */
    async function watchForStall(): Promise<void> {
      if (isStallWatched) return
      isStallWatched = true
      while (state.phase === 'transferring' && clock.now() - movedAt < stalledMs) await clock.wait(stalledMs)
      isStallWatched = false
      if (state.phase !== 'transferring' || movedBytes === total) return
      throughput.reset(movedBytes - earlierBytes, clock.now())
      update({ bytesPerSecond: 0 })
    }

    return {
      update,
      /** Bytes that arrived before this link was opened, `isEarlier`, do not count as speed. */
      report(file: number, bytes: number, isEarlier = false): void {
        if (bytes === done[file]) return
        const change = bytes - (done[file] ?? 0)
        movedBytes += change
        if (isEarlier) earlierBytes += change
        done[file] = bytes
        const now = clock.now()
        movedAt = now
        throughput.observe(movedBytes - earlierBytes, now)
        void watchForStall()
        const isSoon = state.phase === 'transferring' && publishedFile === file && now - publishedAt < updateIntervalMs
        if (isSoon && movedBytes < total) void publishProgressLater(file)
        else publishProgress(file)
      },
      bytes: () => state.bytes,
      complete: () => update({ phase: 'complete', bytes: total }),
      fail(error: unknown): void {
        update({ phase: 'failed', ...(error instanceof PortalError && { reason: error }) })
      },
    }
  }

  return { subject, set, trackTransfer }
}

export type ExchangeStateStore = ReturnType<typeof createExchangeState>

const totalBytes = (files: readonly FileOffer[]): number => files.reduce((sum, { size }) => sum + size, 0)

type OfferAnswer = 'accepted' | 'declined' | 'no-space' | 'withdrawn'

interface OfferPromptDeps extends Pick<ExchangeStateStore, 'subject' | 'set' | 'trackTransfer'> {
  readonly clock: Clock
  readonly hasFreeSpaceFor: ReceiveStorage['hasFreeSpaceFor']
}

/** Asks the user about offers, one at a time, and declines an offer that is not answered in time. */
export function createOfferPrompt({ clock, hasFreeSpaceFor, subject, set, trackTransfer }: OfferPromptDeps) {
  let pending: { readonly respond: (answer: OfferAnswer) => void; readonly timer: AbortController } | null = null

  function close(answer: OfferAnswer): void {
    const closed = pending
    pending = null
    closed?.timer.abort()
    set({ offer: null })
    closed?.respond(answer)
  }

  return {
    isPending: () => pending !== null,
    /** Shows the offer once `ready` has settled, if there is enough space. Calls `respond` once. */
    async ask(
      files: readonly FileOffer[],
      respond: (answer: OfferAnswer) => void,
      ready: Promise<unknown> = Promise.resolve(),
    ): Promise<void> {
      const prompt = { respond, timer: new AbortController() }
      pending = prompt
      clock.wait(legacyPortalLimits.acceptTimeoutMs, prompt.timer.signal).then(
        () => close('declined'),
        (error) => ignore(error, 'the offer was answered in time'),
      )
      await ready.catch((error) => ignore(error, 'what was waited for has ended'))
      const total = totalBytes(files)
      const hasSpace = await hasFreeSpaceFor(total)
      if (pending !== prompt) return
      if (hasSpace) return set({ offer: { files, total } })
      trackTransfer('receiving', files, 'asking').fail(new PortalError('NO_SPACE_HERE'))
      close('no-space')
    },
    /** An offer that is not shown yet can be declined, but not accepted. */
    answer(isAccepted: boolean): void {
      if (pending && (!isAccepted || subject.current().offer)) close(isAccepted ? 'accepted' : 'declined')
    },
    /** Hides the offer, which the other device no longer expects to be answered. */
    withdraw: () => close('withdrawn'),
  }
}
