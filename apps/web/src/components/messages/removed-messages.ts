import type { ListedMessage } from './listed-message.ts'

/** Remembers deleted messages, so that the response to an earlier request does not restore them. */
export function createRemovedMessages() {
  const ids = new Set<string>()
  let clearCount = 0
  return {
    add: (id: string) => void ids.add(id),
    /** Marks all loaded messages, and everything older, as deleted. */
    addAll(listed: readonly ListedMessage[]): void {
      for (const { id } of listed) ids.add(id)
      clearCount += 1
    },
    /** Unmarks messages that the server failed to delete. */
    restore(listed: readonly ListedMessage[]): void {
      for (const { id } of listed) ids.delete(id)
    },
    /** The number of times everything was deleted. Responses to requests from before are outdated. */
    clearCount: () => clearCount,
    without: <Listed extends ListedMessage>(messages: readonly Listed[]): readonly Listed[] =>
      messages.filter(({ id }) => !ids.has(id)),
  }
}
