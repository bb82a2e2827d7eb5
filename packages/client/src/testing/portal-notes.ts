import { toBase64url } from '@sallyport/crypto/portal'
import type { PortalSink } from '../portal/channel.ts'
import type { SinkOf } from '../portal/exchange-state.ts'
import type { ArrivalNote, DepartureNote, KeptBlock, TransferNotes } from '../portal/fast/transfer-notes.ts'
import { memorySink } from './portal-link.ts'

/** What outlives the page of a device: what was flushed, and what was written down. */
export function createDisk() {
  const arrivals = new Map<string, { note: ArrivalNote; blocks: KeptBlock[]; finished: number[] }>()
  const departures = new Map<string, DepartureNote>()
  const places = new Map<string, ReturnType<typeof memorySink>['state']>()
  const finished: Uint8Array[] = []
  /** What was to encrypt the file of each place, by the visits that were there. */
  const stagingKeys: { readonly place: string; readonly key: string }[] = []
  let visits = 0

  /** What a page of the device works with; once there is another page, this one is dead and changes nothing any more. */
  function visit() {
    visits += 1
    const own = visits
    return notesAndSinks(() => own === visits)
  }

  function notesAndSinks(isAlive: () => boolean): { notes: TransferNotes; sinkOf: SinkOf } {
    const notes: TransferNotes = {
      async arrive(note) {
        arrivals.set(note.tid, { note, blocks: [], finished: [] })
      },
      async keep(tid, blocks) {
        if (isAlive()) arrivals.get(tid)?.blocks.push(...blocks)
      },
      async finish(tid, f) {
        if (isAlive()) arrivals.get(tid)?.finished.push(f)
      },
      find: async (tid) => arrivals.get(tid) ?? null,
      async depart(note) {
        departures.set(note.tid, note)
      },
      progress: () => undefined,
      async end(tid) {
        if (!isAlive()) return
        arrivals.delete(tid)
        departures.delete(tid)
      },
    }

    const sinkOf: SinkOf = (_, place = `place ${places.size}`, key = null) => {
      stagingKeys.push({ place, key: toBase64url(key ?? new Uint8Array(0)) })
      const before = places.get(place)
      const { state, sink } = memorySink()
      if (before) state.bytes = before.bytes
      // What was written and not flushed is gone with the page.
      const kept: PortalSink = {
        ...sink,
        place,
        async flush() {
          if (isAlive()) places.set(place, { ...state, bytes: state.bytes.slice() })
        },
        read: async (position, length) => state.bytes.slice(position, position + length),
        leave: async () => undefined,
        async finish() {
          if (isAlive()) finished.push(state.bytes)
        },
        async discard() {
          if (isAlive()) places.delete(place)
        },
      }
      return kept
    }
    return { notes, sinkOf }
  }

  return { visit, arrivals, departures, places, finished, stagingKeys }
}
