import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { createThroughput } from '../throughput.ts'
import { type FileOffer, type OutgoingFile, PortalError, type PortalSink } from './channel.ts'

type TransferPhase = 'asking' | 'encrypting' | 'transferring' | 'processing' | 'complete' | 'failed'

/** One transfer as people see it. */
export interface TransferState {
  readonly phase: TransferPhase
  readonly fileName: string
  readonly bytes: number
  readonly total: number
  readonly bytesPerSecond: number
  /** Why it failed, in words that go behind 'Transfer failed: '; left out where nobody knows. */
  readonly reason?: string
}

export interface ExchangeState {
  /** Files the other device would like to send; they wait for an answer. */
  readonly offer: { readonly files: readonly FileOffer[]; readonly total: number } | null
  readonly sending: TransferState | null
  readonly receiving: TransferState | null
}

/** What two devices do over one portal, whichever protocol they share. */
export interface Exchange {
  readonly state: Observable<ExchangeState>
  /** Settles when the other device has all files whole; rejects with a `PortalError` otherwise. */
  send(files: readonly OutgoingFile[]): Promise<void>
  /** Answers the offer that waits, if one does. */
  answer(isAccepted: boolean): void
  /** Gives up what is under way in one direction, and tells the other device. */
  cancel(direction: 'sending' | 'receiving'): void
  /** Stops what is under way, in both directions; `isForLater` where it may be gone on with. */
  stop(error: PortalError, isForLater?: boolean): void
}

/**
 * Makes the place an accepted file goes to, or finds the one that an earlier page has made. `key`, 32 bytes, encrypts what
 * is kept there; it is the same for every page that resumes the transfer, and none of them writes it down. Without it
 * nothing is kept for another page.
 */
export type SinkOf = (file: FileOffer, place?: string, key?: Bytes | null) => PortalSink

/** Where accepted files go. */
export interface Shelf {
  readonly sinkOf: SinkOf
  /** Whether so many bytes find room here. */
  readonly hasRoomFor: (bytes: number) => Promise<boolean>
}

/** Drawing each block of a fast line anew would take as long as carrying it. */
const showEveryMs = 250

export function createExchangeState(clock: Clock) {
  const subject = createSubject<ExchangeState>({ offer: null, sending: null, receiving: null })
  const set = (change: Partial<ExchangeState>) => subject.set({ ...subject.current(), ...change })

  /** Follows one direction; each file of a transfer adds to one figure. */
  function follow(direction: 'sending' | 'receiving', files: readonly FileOffer[], first: TransferPhase) {
    const total = files.reduce((sum, { size }) => sum + size, 0)
    const done = files.map(() => 0)
    let moved = 0
    let shownAt = Number.NEGATIVE_INFINITY
    let shownFile = -1
    let isLater = false
    const throughput = createThroughput(clock.now())
    let state: TransferState = {
      phase: first,
      fileName: files[0]?.name ?? '',
      bytes: 0,
      total,
      bytesPerSecond: 0,
    }
    const show = (change: Partial<TransferState>) => {
      state = { ...state, ...change }
      set({ [direction]: state })
    }
    show({})

    function showMoved(file: number): void {
      shownAt = clock.now()
      shownFile = file
      const { bytesPerSecond } = throughput
      show({ phase: 'transferring', fileName: files[file]?.name ?? '', bytes: moved, bytesPerSecond })
    }

    /** What was left out is shown a little later, lest it be missed where nothing follows. */
    async function showLater(file: number): Promise<void> {
      if (isLater) return
      isLater = true
      await clock.wait(showEveryMs)
      isLater = false
      if (state.phase === 'transferring' && state.bytes < moved) showMoved(file)
    }

    return {
      show,
      progress(file: number, bytes: number): void {
        if (bytes === done[file]) return
        moved += bytes - (done[file] ?? 0)
        done[file] = bytes
        const now = clock.now()
        throughput.observe(moved, now)
        const isSoon = state.phase === 'transferring' && shownFile === file && now - shownAt < showEveryMs
        if (isSoon && moved < total) void showLater(file)
        else showMoved(file)
      },
      bytes: () => state.bytes,
      complete: () => show({ phase: 'complete', bytes: total }),
      fail(error: unknown): void {
        show({ phase: 'failed', ...(error instanceof PortalError && { reason: error.message }) })
      },
    }
  }

  return { subject, set, follow }
}

export type ExchangeStateKeeper = ReturnType<typeof createExchangeState>
