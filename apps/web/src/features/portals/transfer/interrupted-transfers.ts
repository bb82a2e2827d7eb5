import { askServer, serverClock } from '@sallyport/browser/server-clock'
import { createSubject, type Observable, waitUntil } from '@sallyport/client/observable'
import type { Portal } from '@sallyport/client/portal/portal-state'
import { ignore } from '@sallyport/contract/ignore'
import { withPath } from '#/components/file-input/added-file.ts'
import { claimedIds, type PortalJournal } from '../portal-journal.ts'
import * as store from '../portal-store.ts'
import { createOutgoingFile } from './outgoing-file.ts'

type ResumeError = 'not-allowed' | 'not-there' | 'not-the-same'

/** A transfer of an earlier page that was interrupted. */
export interface InterruptedTransfer {
  readonly tid: string
  readonly direction: 'sending' | 'receiving'
  readonly name: string
  readonly peerName: string
  readonly bytes: number
  readonly total: number
  /** Whether this device can resume without a file being chosen again. */
  readonly hasSource: boolean
  readonly error: ResumeError | null
}

export interface InterruptedState {
  /** An interrupted portal that can be rejoined without a code. */
  readonly slot: store.StoredSlot | null
  readonly transfers: readonly InterruptedTransfer[]
}

export interface InterruptedTransfers extends Observable<InterruptedState> {
  /** Reloads the list. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Rejoins the interrupted portal. */
  readonly reconnect: () => void
  /**
   * Resumes what this device was sending. Must be called from a user gesture, because the browser may ask for
   * permission.
   */
  readonly resume: (tid: string) => Promise<void>
  /** Resumes with files that the user has chosen again. */
  readonly resumeWith: (tid: string, files: readonly File[]) => Promise<void>
  readonly discard: (tid: string) => Promise<void>
  readonly discardSlot: () => Promise<void>
}

interface InterruptedTransfersDeps {
  readonly portal: Portal
  readonly journal: PortalJournal
  readonly removeFile: (name: string) => Promise<void>
}

const emptyState: InterruptedState = { slot: null, transfers: [] }

/** Lists interrupted portals and transfers of earlier pages, and resumes them. */
export function createInterruptedTransfers({
  portal,
  journal,
  removeFile,
}: InterruptedTransfersDeps): InterruptedTransfers {
  const subject = createSubject<InterruptedState>(emptyState)
  let departures: readonly store.StoredOutgoing[] = []
  let incoming: readonly store.StoredIncoming[] = []

  async function load(): Promise<InterruptedState> {
    const [stored, claimed] = [await store.readAll(), await claimedIds()]
    if (!serverClock.isKnown()) await askServer()
    const now = serverClock.now()
    const progress = new Map(stored.progress.map((one) => [one.tid, one]))
    const isExpired = (tid: string) => now - (progress.get(tid)?.at ?? 0) > store.transferRetentionMs
    for (const { tid } of [...stored.arrivals, ...stored.departures])
      if (isExpired(tid)) await remove(tid, stored.arrivals)
    const isAvailable = ({ tid }: { readonly tid: string }) => !claimed.has(tid) && !isExpired(tid)
    departures = stored.departures.filter(isAvailable)
    incoming = stored.arrivals.filter(isAvailable)
    const slots = stored.places.filter(({ id }) => !claimed.has(id))
    for (const { id, at } of slots) if (now - at > store.slotRetentionMs) await store.removeSlot(id)
    const bytesOf = (tid: string) => progress.get(tid)?.bytes ?? 0
    return {
      slot: slots.filter(({ at }) => now - at <= store.slotRetentionMs).sort((a, b) => b.at - a.at)[0] ?? null,
      transfers: [
        ...incoming.map((one) => ({
          ...summaryOf(one, bytesOf(one.tid)),
          direction: 'receiving' as const,
          hasSource: true,
        })),
        ...departures.map((one) => ({
          ...summaryOf(one, bytesOf(one.tid)),
          direction: 'sending' as const,
          hasSource: one.handles.every((handle) => handle !== null),
        })),
      ],
    }
  }

  async function remove(tid: string, records: readonly store.StoredIncoming[]): Promise<void> {
    await store.removeTransfer(tid)
    const places = records.find((one) => one.tid === tid)?.places ?? []
    for (const place of places) if (place !== null) await removeFile(place)
  }

  const refresh = async () =>
    subject.set((await load().catch((error) => ignore(error, 'there is no readable database'))) ?? emptyState)

  function setError(tid: string, error: ResumeError): void {
    const { slot, transfers } = subject.current()
    subject.set({ slot, transfers: transfers.map((one) => (one.tid === tid ? { ...one, error } : one)) })
  }

  function reconnect(): void {
    const { slot } = subject.current()
    if (!slot || portal.state.current().mode !== 'menu') return
    journal.adoptSlot(slot.id)
    portal.reconnect(slot)
  }

  async function resumeWith(tid: string, files: readonly File[]): Promise<void> {
    const transfer = departures.find((one) => one.tid === tid)
    if (!transfer) return
    const isSame = transfer.files.every(({ name, size, modifiedAt }, index) => {
      const file = files[index]
      return file?.name === name && file.size === size && file.lastModified === modifiedAt
    })
    if (!isSame || files.length !== transfer.files.length) return setError(tid, 'not-the-same')
    reconnect()
    if (!(await untilConnected(portal))) return
    const outgoingFiles = files.map((file, index) => {
      const path = transfer.files[index]?.path
      return createOutgoingFile(withPath(file, path === undefined ? '' : `${path}/${file.name}`))
    })
    const { transfers, slot } = subject.current()
    subject.set({ slot, transfers: transfers.filter((one) => one.tid !== tid) })
    await portal
      .resume(transfer, outgoingFiles)
      .catch((error) => ignore(error, 'the state of the transfer shows the error'))
  }

  return {
    current: subject.current,
    subscribe: subject.subscribe,
    refresh,
    reconnect,
    resumeWith,
    async resume(tid) {
      const handles = departures.find((one) => one.tid === tid)?.handles ?? []
      const files: File[] = []
      for (const handle of handles) {
        const permission = await (handle?.requestPermission?.({ mode: 'read' }) ?? 'granted')
        if (permission !== 'granted') return setError(tid, 'not-allowed')
        const file = await handle?.getFile().catch((error) => ignore(error, 'the card asks for the file again'))
        if (!file) return setError(tid, 'not-there')
        files.push(file)
      }
      await resumeWith(tid, files)
    },
    async discard(tid) {
      await remove(tid, incoming).catch((error) => ignore(error, 'it stays in the list'))
      await refresh()
    },
    async discardSlot() {
      const { slot } = subject.current()
      if (slot) await store.removeSlot(slot.id).catch((error) => ignore(error, 'it stays in the list'))
      await refresh()
    },
  }
}

function summaryOf(
  { tid, peerName, files }: store.StoredIncoming | store.StoredOutgoing,
  bytes: number,
): Omit<InterruptedTransfer, 'direction' | 'hasSource'> {
  const total = [...files].reduce((sum, { size }) => sum + size, 0)
  return { tid, peerName, name: files[0]?.name ?? '', bytes: Math.min(bytes, total), total, error: null }
}

/** Resolves to true once the portal is connected, and to false when it is closed before. */
async function untilConnected({ state }: Portal): Promise<boolean> {
  await waitUntil(state, () => state.current().isConnected || state.current().mode === 'menu')
  return state.current().isConnected
}
