import { createSubject, type Observable } from '@sallyport/client/observable'
import type { ListedFile } from '@sallyport/contract/files'
import { openEnvelope, openName, type Root } from '@sallyport/crypto'
import { fileWords } from '#/words/files.ts'

type SealedFile = Pick<ListedFile, 'id' | 'originalName' | 'encryptedFileKey'>

/** The names opened so far, by the id of their file. */
export interface NameBook extends Observable<ReadonlyMap<string, string>> {
  /** Opens the names of these files that are not open yet, and forgets those of all others. */
  open(listed: readonly SealedFile[]): void
  /** The name that was opened from this very file; undefined for another one under the same id. */
  nameOf(file: SealedFile): string | undefined
}

/** What a name is opened from. A list may carry another file under the same id later on. */
const sealedOf = ({ originalName, encryptedFileKey }: SealedFile): string => `${originalName} ${encryptedFileKey}`

/** Names shown together; more at once would hold up the page. */
const batchSize = 24

/** Finds the root that has sealed an envelope. Rejects when it is not known. */
export type FindRoot = (envelope: string) => Promise<Root>

/** Opens sealed names a few at a time. A name that cannot be opened is said to be unreadable, and the file stays. */
export function createNameBook(findRoot: FindRoot, wrapType: 'account' | 'session' = 'account'): NameBook {
  const names = createSubject<ReadonlyMap<string, string>>(new Map())
  const openedFrom = new Map<string, string>()
  let waiting: readonly SealedFile[] = []
  let isOpening = false

  async function openWaiting(): Promise<void> {
    isOpening = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      const opened = await Promise.all(batch.map(async (file) => [file.id, await openOne(file)] as const))
      waiting = waiting.filter((file) => !batch.includes(file))
      for (const file of batch) openedFrom.set(file.id, sealedOf(file))
      names.set(new Map([...names.current(), ...opened]))
    }
    isOpening = false
  }

  async function openOne({ originalName, encryptedFileKey: envelope }: SealedFile): Promise<string> {
    try {
      const { keys } = await openEnvelope({ envelope, root: await findRoot(envelope), wrapType })
      return (await openName(originalName, keys)).name
    } catch {
      return fileWords.unreadableName
    }
  }

  return {
    current: names.current,
    subscribe: names.subscribe,
    nameOf: (file) => (openedFrom.get(file.id) === sealedOf(file) ? names.current().get(file.id) : undefined),
    open(listed) {
      const sealed = new Map(listed.map((file) => [file.id, sealedOf(file)]))
      const known = names.current()
      const kept = new Map([...known].filter(([id]) => sealed.get(id) === openedFrom.get(id)))
      if (kept.size < known.size) names.set(kept)
      waiting = listed.filter(({ id }) => !kept.has(id))
      if (!isOpening && waiting.length > 0) void openWaiting()
    },
  }
}
