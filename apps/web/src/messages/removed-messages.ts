import type { ListedMessage } from './listed-message.ts'

/** Remembers which messages were deleted, so that an answer that was under way does not bring them back. */
export function createRemovedMessages() {
  const ids = new Set<string>()
  let clearings = 0
  return {
    add: (id: string) => void ids.add(id),
    /** Remembers all that is loaded, and that everything older is gone as well. */
    addAll(listed: readonly ListedMessage[]): void {
      for (const { id } of listed) ids.add(id)
      clearings += 1
    },
    /** Forgets a deletion that the server refused. */
    restore(listed: readonly ListedMessage[]): void {
      for (const { id } of listed) ids.delete(id)
    },
    /** How often everything was deleted: what was asked for before the last time is gone. */
    clearings: () => clearings,
    without: <Listed extends ListedMessage>(messages: readonly Listed[]): readonly Listed[] =>
      messages.filter(({ id }) => !ids.has(id)),
  }
}
