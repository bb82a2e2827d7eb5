import { toBase64url } from '@sallyport/crypto/portal'
import type { PortalSink } from '../portal/channel.ts'
import type { CreateSink } from '../portal/exchange-state.ts'
import type {
  PersistedBlock,
  PersistedIncoming,
  PersistedOutgoing,
  TransferJournal,
} from '../portal/transfer/transfer-journal.ts'
import { memorySink } from './portal-link.ts'

/** The storage of a device that outlives its page: flushed bytes and the transfer journal. */
export function createTransferStorage() {
  const incoming = new Map<string, { note: PersistedIncoming; blocks: PersistedBlock[]; finished: number[] }>()
  const outgoing = new Map<string, PersistedOutgoing>()
  const files = new Map<string, ReturnType<typeof memorySink>['state']>()
  const finished: Uint8Array[] = []
  /** The staging key of each opened file, in order of opening. */
  const stagingKeys: { readonly storedName: string; readonly key: string }[] = []
  let openedPages = 0

  /** Opens a page of the device. A later page invalidates it: its writes are then ignored. */
  function openPage() {
    openedPages += 1
    const page = openedPages
    return createJournalAndSinks(() => page === openedPages)
  }

  function createJournalAndSinks(isCurrent: () => boolean): { journal: TransferJournal; createSink: CreateSink } {
    const journal: TransferJournal = {
      async saveIncoming(note) {
        incoming.set(note.tid, { note, blocks: [], finished: [] })
      },
      async saveBlocks(tid, blocks) {
        if (isCurrent()) incoming.get(tid)?.blocks.push(...blocks)
      },
      async saveFinished(tid, f) {
        if (isCurrent()) incoming.get(tid)?.finished.push(f)
      },
      findIncoming: async (tid) => incoming.get(tid) ?? null,
      async saveOutgoing(note) {
        outgoing.set(note.tid, note)
      },
      saveProgress: () => undefined,
      async remove(tid) {
        if (!isCurrent()) return
        incoming.delete(tid)
        outgoing.delete(tid)
      },
    }

    const createSink: CreateSink = (_, storedName = `place ${files.size}`, key = null) => {
      stagingKeys.push({ storedName, key: toBase64url(key ?? new Uint8Array(0)) })
      const flushed = files.get(storedName)
      const { state, sink } = memorySink()
      if (flushed) state.bytes = flushed.bytes
      // Bytes that were written but not flushed are lost with the page.
      const persistentSink: PortalSink = {
        ...sink,
        storedName,
        async flush() {
          if (isCurrent()) files.set(storedName, { ...state, bytes: state.bytes.slice() })
        },
        read: async (position, length) => state.bytes.slice(position, position + length),
        release: async () => undefined,
        async finish() {
          if (isCurrent()) finished.push(state.bytes)
        },
        async discard() {
          if (isCurrent()) files.delete(storedName)
        },
      }
      return persistentSink
    }
    return { journal, createSink }
  }

  return { openPage, incoming, outgoing, files, finished, stagingKeys }
}
