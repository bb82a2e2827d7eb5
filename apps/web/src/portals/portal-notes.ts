import type { TransferNotes } from '@sallyport/client/portal/fast/transfer-notes'
import type { KeptPlace } from '@sallyport/client/portal/portal'
import { createClaims, type LetGo } from '#/transfers/claims.ts'
import { handleOf } from '#/ui/file-handles.ts'
import { fileBehind } from './outgoing-file.ts'
import * as store from './portal-store.ts'

const places = createClaims('portal-place-')
const transfers = createClaims('portal-transfer-')
const progressEveryMs = 1000
const placeEveryMs = 60_000

/** Ids of places and transfers that some page is going on with just now. */
export const claimedElsewhere = async (): Promise<ReadonlySet<string>> =>
  new Set([...(await places.claimed()), ...(await transfers.claimed())])

/** What this browser writes down of a portal and its transfers. Nothing here rejects: a portal goes on without, too. */
export function createPortalNotes() {
  const claims = new Map<string, LetGo>()
  let saidAt = 0
  let placeId: string = crypto.randomUUID()
  let beat: ReturnType<typeof setInterval> | undefined

  const quietly = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      () => undefined,
    )

  async function take(id: string, kind = transfers): Promise<void> {
    const letGo = claims.has(id) ? null : await kind.claim(id)
    if (letGo) claims.set(id, letGo)
  }

  async function release(id: string): Promise<void> {
    const letGo = claims.get(id)
    claims.delete(id)
    await letGo?.()
  }

  const notes: TransferNotes = {
    async arrive(note) {
      await quietly(take(note.tid))
      await quietly(store.putArrival(note).then(() => store.putProgress({ tid: note.tid, bytes: 0, at: Date.now() })))
    },
    keep: (tid, blocks) => quietly(store.putBlocks(tid, blocks)),
    finish: (tid, f) => quietly(store.putFinished(tid, f)),
    async find(tid) {
      const found = await store.readArrival(tid).catch(() => null)
      if (found) await quietly(take(tid))
      return found
    },
    async depart(note, files) {
      await quietly(take(note.tid))
      const handles = await Promise.all(files.map(async (file) => handleOf(fileBehind(file))))
      const entry = { ...note, handles }
      // Without a handle where this one cannot be stored.
      await quietly(
        store.putDeparture(entry).catch(() => store.putDeparture({ ...entry, handles: handles.map(() => null) })),
      )
      await quietly(store.putProgress({ tid: note.tid, bytes: 0, at: Date.now() }))
    },
    progress(tid, bytes) {
      const at = Date.now()
      if (!claims.has(tid) || at - saidAt < progressEveryMs) return
      saidAt = at
      void quietly(store.putProgress({ tid, bytes, at }))
    },
    async end(tid) {
      await quietly(store.removeTransfer(tid))
      await quietly(release(tid))
    },
  }

  const write = (place: KeptPlace) => quietly(store.putPlace({ ...place, id: placeId, at: Date.now() }))

  return {
    notes,
    keepPlace(place: KeptPlace | null): void {
      clearInterval(beat)
      if (place) {
        void quietly(take(placeId, places))
        void write(place)
        beat = setInterval(() => void write(place), placeEveryMs)
      } else {
        void quietly(store.removePlace(placeId).then(() => release(placeId)))
        placeId = crypto.randomUUID()
      }
    },
    /** This page goes on from there. */
    adopt(id: string): void {
      placeId = id
    },
    /** Leaves what could be gone on with to any page. */
    async leave(): Promise<void> {
      for (const id of [...claims.keys()]) if (id !== placeId) await quietly(release(id))
    },
  }
}

export type PortalNotes = ReturnType<typeof createPortalNotes>
