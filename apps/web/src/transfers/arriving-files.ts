import { clearEntries, holdLock, isOld, type PrivateFile, privateFile } from './private-files.ts'

const prefix = 'arriving-'

/** A place for a file that comes through a portal, or the one an earlier page has made under this name. */
export function claimArrivingFile(name = `${prefix}${crypto.randomUUID()}`): PrivateFile {
  return privateFile({ name, release: holdLock(name), isPartial: true })
}

/** Removes what no page is at and nobody has resumed for a day, or all of it. Never rejects. */
export const clearArrivingFiles = ({ all = false } = {}): Promise<void> =>
  clearEntries(async (name, root) => name.startsWith(prefix) && (all || (await isOld(root, name))))
