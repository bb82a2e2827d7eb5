import { SpokenError } from '#/api/failure.ts'
import { keyWords } from '#/words/keys.ts'

const storageName = 'keyVersions'

/** The highest version of this user's account key that was opened on this device; 0 while none was. */
export function highestKeyVersion(userId: string, storage: Storage): number {
  return versionsIn(storage).get(userId) ?? 0
}

/** Throws, in words for a person, for a version lower than one that was opened on this device. */
export function requireKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  if (keyVersion < highestKeyVersion(userId, storage)) throw new SpokenError(keyWords.earlierKey)
}

/** The same, and also for a version higher than every one that was opened on this device, where one was. */
export function requireLatestKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  requireKeyVersion(userId, keyVersion, storage)
  const highest = highestKeyVersion(userId, storage)
  if (highest > 0 && keyVersion > highest) throw new SpokenError(keyWords.otherKey)
}

/** Called once a key of this version has been opened, which proves the version, or made. */
export function rememberKeyVersion(userId: string, keyVersion: number, storage: Storage): void {
  const versions = versionsIn(storage).set(userId, Math.max(keyVersion, highestKeyVersion(userId, storage)))
  storage.setItem(storageName, JSON.stringify(Object.fromEntries(versions)))
}

function versionsIn(storage: Storage): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageName) ?? '{}')
    const entries = Object.entries(stored ?? {}).filter(([, version]) => Number.isSafeInteger(version))
    return new Map(entries)
  } catch {
    return new Map()
  }
}
