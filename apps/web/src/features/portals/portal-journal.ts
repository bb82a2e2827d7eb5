import { createClaims, type ReleaseClaim } from '@sallyport/browser/locks'
import { serverClock } from '@sallyport/browser/server-clock'
import type { PersistedSlot } from '@sallyport/client/portal/portal-state'
import type { TransferJournal } from '@sallyport/client/portal/transfer/transfer-journal'
import { ignore } from '@sallyport/contract/ignore'
import { handleOf } from '@sallyport/transfers/browser/uploads/file-handles'
import * as store from './portal-store.ts'
import { sourceFileOf } from './transfer/outgoing-file.ts'

const slotClaims = createClaims('portal-place-')
const transferClaims = createClaims('portal-transfer-')
const progressIntervalMs = 1000
const slotIntervalMs = 60_000

/** Ids of slots and transfers that an open page currently uses. */
export const claimedIds = async (): Promise<ReadonlySet<string>> =>
  new Set([...(await slotClaims.claimedIds()), ...(await transferClaims.claimedIds())])

/** Persists the state of a portal and its transfers. Errors are ignored, because a portal works without persistence. */
export function createPortalJournal() {
  const claims = new Map<string, ReleaseClaim>()
  let lastProgressAt = 0
  let slotId: string = crypto.randomUUID()
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const ignoreErrors = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error) => ignore(error, 'the portal works without persistence'))
  }

  async function acquire(id: string, claimSet = transferClaims): Promise<void> {
    const releaseClaim = claims.has(id) ? null : await claimSet.claim(id)
    if (releaseClaim) claims.set(id, releaseClaim)
  }

  async function release(id: string): Promise<void> {
    const releaseClaim = claims.get(id)
    claims.delete(id)
    await releaseClaim?.()
  }

  const journal: TransferJournal = {
    async saveIncoming(note) {
      await ignoreErrors(acquire(note.tid))
      await ignoreErrors(
        store.putIncoming(note).then(() => store.putProgress({ tid: note.tid, bytes: 0, at: serverClock.now() })),
      )
    },
    saveBlocks: (tid, blocks) => ignoreErrors(store.putBlocks(tid, blocks)),
    saveFinished: (tid, f) => ignoreErrors(store.putFinished(tid, f)),
    async findIncoming(tid) {
      const found = await store.readIncoming(tid).catch((error) => ignore(error, 'the transfer starts over') ?? null)
      if (found) await ignoreErrors(acquire(tid))
      return found
    },
    async saveOutgoing(note, files) {
      await ignoreErrors(acquire(note.tid))
      const handles = await Promise.all(files.map(async (file) => handleOf(sourceFileOf(file))))
      const entry = { ...note, handles }
      // Stores the entry without its handle where the browser cannot store one.
      await ignoreErrors(
        store.putOutgoing(entry).catch(() => store.putOutgoing({ ...entry, handles: handles.map(() => null) })),
      )
      await ignoreErrors(store.putProgress({ tid: note.tid, bytes: 0, at: serverClock.now() }))
    },
    saveProgress(tid, bytes) {
      const at = serverClock.now()
      if (!claims.has(tid) || at - lastProgressAt < progressIntervalMs) return
      lastProgressAt = at
      void ignoreErrors(store.putProgress({ tid, bytes, at }))
    },
    async remove(tid) {
      await ignoreErrors(store.removeTransfer(tid))
      await ignoreErrors(release(tid))
    },
  }

  const writeSlot = (slot: PersistedSlot) => ignoreErrors(store.putSlot({ ...slot, id: slotId, at: serverClock.now() }))

  return {
    journal,
    persistSlot(slot: PersistedSlot | null): void {
      clearInterval(heartbeat)
      if (slot) {
        void ignoreErrors(acquire(slotId, slotClaims))
        void writeSlot(slot)
        heartbeat = setInterval(() => void writeSlot(slot), slotIntervalMs)
      } else {
        void ignoreErrors(store.removeSlot(slotId).then(() => release(slotId)))
        slotId = crypto.randomUUID()
      }
    },
    /** Continues with the slot of an earlier page. */
    adoptSlot(id: string): void {
      slotId = id
    },
    /** Releases resumable transfers so that any page can resume them. */
    async releaseTransfers(): Promise<void> {
      for (const id of [...claims.keys()]) if (id !== slotId) await ignoreErrors(release(id))
    },
  }
}

export type PortalJournal = ReturnType<typeof createPortalJournal>
