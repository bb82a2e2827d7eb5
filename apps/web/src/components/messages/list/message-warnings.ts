import type { ListedMessage } from '../listed-message.ts'
import type { DecryptedMessages } from '../message-cache.ts'

/** `repeated`: an earlier message is the same one. `oldKey`: it follows messages that are sealed under a newer key. */
export type MessageWarning = 'repeated' | 'oldKey'

/** Clients learn of a new key within seconds, so a message under the key before it is at most that late. */
const keyChangeMs = 60_000

/**
 * Finds messages that only a malicious server or a removed participant would place where they are, by their ids. An
 * encrypted key contains the id of its message and cannot be altered, so two messages with the same one are the same
 * message. Unreadable messages do not count, because a server can make them up from any key.
 */
export function warningsOf(
  listed: readonly ListedMessage[],
  decrypted: DecryptedMessages,
): ReadonlyMap<string, MessageWarning> {
  const warnings = new Map<string, MessageWarning>()
  const firstIds = new Map<string, string>()
  const startsOfEpochs = new Map<number, number>()
  for (const { id, encryptedKey, createdAt } of listed.toSorted(compareAge)) {
    const content = decrypted.get(id)
    if (content === null) continue
    const firstId = firstIds.get(encryptedKey) ?? id
    firstIds.set(encryptedKey, firstId)
    const epoch = content?.keyEpoch
    if (firstId !== id) warnings.set(id, 'repeated')
    else if (epoch !== undefined) {
      const isOutdated = [...startsOfEpochs].some(([other, start]) => other > epoch && createdAt - start > keyChangeMs)
      if (isOutdated) warnings.set(id, 'oldKey')
      if (!startsOfEpochs.has(epoch)) startsOfEpochs.set(epoch, createdAt)
    }
  }
  return warnings
}

/** By id for messages of the same time, so that the order does not depend on which page was loaded first. */
function compareAge(one: ListedMessage, other: ListedMessage): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt
  return one.id < other.id ? -1 : 1
}
