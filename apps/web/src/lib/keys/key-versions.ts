import { keyStrings } from '#/strings/account/keys.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'

const storageKey = 'keyVersions'

/** The highest version of this user's account key that was opened on this device; 0 if none was. */
export function highestKeyVersion(userId: string, storage: Storage): number {
  return versionsIn(storage).get(userId) ?? 0
}

/** Throws a user-facing error for a version lower than one that was opened on this device. */
export function requireKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  if (keyVersion < highestKeyVersion(userId, storage)) throw new UserFacingError(keyStrings.olderKey)
}

/** Also throws for a version higher than all that were opened on this device, if any was. */
export function requireLatestKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  requireKeyVersion(userId, keyVersion, storage)
  const highest = highestKeyVersion(userId, storage)
  if (highest > 0 && keyVersion > highest) throw new UserFacingError(keyStrings.differentKey)
}

/** Call it after a key of this version was created or opened, which proves the version. */
export function storeKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  const versions = versionsIn(storage).set(userId, Math.max(keyVersion, highestKeyVersion(userId, storage)))
  storage.setItem(storageKey, JSON.stringify(Object.fromEntries(versions)))
}

function versionsIn(storage: Storage): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey) ?? '{}')
    const entries = Object.entries(stored ?? {}).filter(([, version]) => Number.isSafeInteger(version))
    return new Map(entries)
  } catch {
    return new Map()
  }
}
