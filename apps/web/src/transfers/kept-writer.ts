import { changeKept, type KeptStep } from './kept-store.ts'

type Change = (step: KeptStep) => unknown

export interface KeptWriter {
  /** Settles once the change is written; rejects where there is no room for it, and does nothing after the end. */
  readonly write: (change: Change) => Promise<void>
  /** Writes nothing more. */
  readonly close: () => void
}

/** Writes in order, and in one transaction whatever has gathered while the one before was written. */
export function createKeptWriter(): KeptWriter {
  let gathered: Change[] = []
  let next: Promise<void> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function writeGathered(): Promise<void> {
    const changes = gathered
    gathered = []
    next = null
    if (!isClosed) await changeKept((step) => Promise.all(changes.map((change) => change(step))))
  }

  return {
    write(change) {
      gathered.push(change)
      if (!next) {
        next = last.then(writeGathered)
        last = next.catch(() => undefined)
      }
      return next
    },
    close() {
      isClosed = true
    },
  }
}
