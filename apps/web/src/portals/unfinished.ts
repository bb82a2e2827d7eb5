import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Portal } from '@sallyport/client/portal/portal'
import { portalLimits } from '@sallyport/contract/limits'
import { withPath } from '#/intake/taken-file.ts'
import { outgoingFile } from './outgoing-file.ts'
import { claimedElsewhere, type PortalNotes } from './portal-notes.ts'
import * as store from './portal-store.ts'

type ResumeTrouble = 'not-allowed' | 'not-there' | 'not-the-same'

/** A transfer of an earlier page. */
export interface BrokenTransfer {
  readonly tid: string
  readonly direction: 'sending' | 'receiving'
  readonly name: string
  readonly peerName: string
  readonly bytes: number
  readonly total: number
  /** Whether this device can go on without a file being chosen again. */
  readonly isAtHand: boolean
  readonly trouble: ResumeTrouble | null
}

export interface Unfinished {
  /** Where a portal broke off that can be come back to without a code. */
  readonly place: store.StoredPlace | null
  readonly transfers: readonly BrokenTransfer[]
}

export interface UnfinishedPortals extends Observable<Unfinished> {
  /** Looks again for what there is. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Comes back to where the portal broke off. */
  readonly comeBack: () => void
  /** Goes on with what this device was sending. Has to be called in the midst of a press: the browser may ask. */
  readonly goOn: (tid: string) => Promise<void>
  /** The same, with files that were chosen again. */
  readonly goOnWith: (tid: string, files: readonly File[]) => Promise<void>
  readonly discard: (tid: string) => Promise<void>
  readonly discardPlace: () => Promise<void>
}

interface Parts {
  readonly portal: Portal
  readonly notes: PortalNotes
  readonly removeFile: (name: string) => Promise<void>
}

const keptMs = 24 * 3_600_000
const nothing: Unfinished = { place: null, transfers: [] }

/** What earlier pages left of portals and their transfers, and how it goes on. */
export function createUnfinished({ portal, notes, removeFile }: Parts): UnfinishedPortals {
  const subject = createSubject<Unfinished>(nothing)
  let departures: readonly store.StoredDeparture[] = []
  let arrivals: readonly store.StoredArrival[] = []

  async function look(): Promise<Unfinished> {
    const [found, claimed] = [await store.readAll(), await claimedElsewhere()]
    const now = Date.now()
    const progress = new Map(found.progress.map((one) => [one.tid, one]))
    const isOver = (tid: string) => now - (progress.get(tid)?.at ?? 0) > keptMs
    for (const { tid } of [...found.arrivals, ...found.departures]) if (isOver(tid)) await remove(tid, found.arrivals)
    const isOpen = ({ tid }: { readonly tid: string }) => !claimed.has(tid) && !isOver(tid)
    departures = found.departures.filter(isOpen)
    arrivals = found.arrivals.filter(isOpen)
    const graceMs = portalLimits.graceMs
    const places = found.places.filter(({ id }) => !claimed.has(id))
    for (const { id, at } of places) if (now - at > 2 * graceMs) await store.removePlace(id)
    const bytesOf = (tid: string) => progress.get(tid)?.bytes ?? 0
    return {
      place: places.filter(({ at }) => now - at <= 2 * graceMs).sort((a, b) => b.at - a.at)[0] ?? null,
      transfers: [
        ...arrivals.map((one) => ({
          ...shownOf(one, bytesOf(one.tid)),
          direction: 'receiving' as const,
          isAtHand: true,
        })),
        ...departures.map((one) => ({
          ...shownOf(one, bytesOf(one.tid)),
          direction: 'sending' as const,
          isAtHand: one.handles.every((handle) => handle !== null),
        })),
      ],
    }
  }

  async function remove(tid: string, among: readonly store.StoredArrival[]): Promise<void> {
    await store.removeTransfer(tid)
    const places = among.find((one) => one.tid === tid)?.places ?? []
    for (const place of places) if (place !== null) await removeFile(place)
  }

  const refresh = async () => subject.set(await look().catch(() => nothing))

  function setTrouble(tid: string, trouble: ResumeTrouble): void {
    const { place, transfers } = subject.current()
    subject.set({ place, transfers: transfers.map((one) => (one.tid === tid ? { ...one, trouble } : one)) })
  }

  function comeBack(): void {
    const { place } = subject.current()
    if (!place || portal.state.current().mode !== 'menu') return
    notes.adopt(place.id)
    portal.comeBack(place)
  }

  async function goOnWith(tid: string, files: readonly File[]): Promise<void> {
    const departure = departures.find((one) => one.tid === tid)
    if (!departure) return
    const isSame = departure.files.every(({ name, size, modifiedAt }, place) => {
      const file = files[place]
      return file?.name === name && file.size === size && file.lastModified === modifiedAt
    })
    if (!isSame || files.length !== departure.files.length) return setTrouble(tid, 'not-the-same')
    comeBack()
    if (!(await isConnected(portal))) return
    const outgoing = files.map((file, place) => {
      const path = departure.files[place]?.path
      return outgoingFile(withPath(file, path === undefined ? '' : `${path}/${file.name}`))
    })
    const { transfers, place } = subject.current()
    subject.set({ place, transfers: transfers.filter((one) => one.tid !== tid) })
    // What fails says so in its own state.
    await portal.goOn(departure, outgoing).catch(() => undefined)
  }

  return {
    current: subject.current,
    subscribe: subject.subscribe,
    refresh,
    comeBack,
    goOnWith,
    async goOn(tid) {
      const handles = departures.find((one) => one.tid === tid)?.handles ?? []
      const files: File[] = []
      for (const handle of handles) {
        const permission = await (handle?.requestPermission?.({ mode: 'read' }) ?? 'granted')
        if (permission !== 'granted') return setTrouble(tid, 'not-allowed')
        const file = await handle?.getFile().catch(() => null)
        if (!file) return setTrouble(tid, 'not-there')
        files.push(file)
      }
      await goOnWith(tid, files)
    },
    async discard(tid) {
      await remove(tid, arrivals).catch(() => undefined)
      await refresh()
    },
    async discardPlace() {
      const { place } = subject.current()
      if (place) await store.removePlace(place.id).catch(() => undefined)
      await refresh()
    },
  }
}

function shownOf(
  { tid, peerName, files }: store.StoredArrival | store.StoredDeparture,
  bytes: number,
): Omit<BrokenTransfer, 'direction' | 'isAtHand'> {
  const total = [...files].reduce((sum, { size }) => sum + size, 0)
  return { tid, peerName, name: files[0]?.name ?? '', bytes: Math.min(bytes, total), total, trouble: null }
}

/** Settles once the portal stands; false when it is over before. */
function isConnected({ state }: Portal): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const { isConnected: stands, mode } = state.current()
      if (!stands && mode !== 'menu') return
      stop()
      resolve(stands)
    }
    const stop = state.subscribe(look)
    look()
  })
}
