import { holdLock } from '@sallyport/browser/locks'
import { createPrivateFile, isExpired, type PrivateFile, removeEntries } from './private-files.ts'

const prefix = 'arriving-'

/**
 * Claims a file in the private file system for a portal download, or reopens the one that an earlier page created under
 * this name.
 */
export function claimReceivedFile(name = `${prefix}${crypto.randomUUID()}`): PrivateFile {
  return createPrivateFile({ name, release: holdLock(name), isPartial: true })
}

/** Removes files that no page uses and that nobody has resumed for a day, or all of them. Never rejects. */
export const removeReceivedFiles = ({ all = false } = {}): Promise<void> =>
  removeEntries(async (name, root) => name.startsWith(prefix) && (all || (await isExpired(root, name))))
