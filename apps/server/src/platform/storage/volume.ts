import { randomUUID } from 'node:crypto'
import { close as closeCallback, open as openCallback } from 'node:fs'
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ignore } from '@sallyport/contract/ignore'
import { ApiError, apiError } from '../../errors.ts'
import type { BlobStore, NewObject, StoredFile, StoredObject } from './blob-store.ts'
import { readDiskSpace } from './disk-space.ts'
import type { Failpoint } from './failpoints.ts'
import { createFreeSpace, type SpaceReservation } from './free-space.ts'
import { createHolds } from './holds.ts'
import type { IoScheduler } from './io-scheduler.ts'
import { readPart } from './read-part.ts'
import { syncFile, writeBody } from './write-body.ts'
import type { WriteBufferBudget } from './write-buffer-budget.ts'

const maxHoldMs = 60 * 60 * 1000
const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT'])
/** A read-only or failed disk, or a folder without write permission. */
const notWritableCodes = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO'])
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const openFile = promisify(openCallback)
const closeFile = promisify(closeCallback)

interface VolumeDeps {
  readonly id: string
  readonly folder: string
  readonly failpoint: Failpoint
  readonly ioScheduler: IoScheduler
  readonly writeBuffers: WriteBufferBudget
}

/**
 * Stores objects as files named `<two characters>/<file id>/<index>` in a folder. Incomplete objects are in `incoming`.
 * All paths are built from ids that the server generates.
 */
export function createVolume({ id, folder, failpoint, ioScheduler, writeBuffers }: VolumeDeps): BlobStore {
  const incoming = join(folder, 'incoming')
  const holds = createHolds(maxHoldMs)
  const freeSpace = createFreeSpace(folder)

  const folderOf = (fileId: string): string => fileFolder(folder, fileId)
  const pathOf = (fileId: string, index: number): string => join(folderOf(fileId), String(index))

  async function writeDraft(draft: string, object: NewObject): Promise<StoredObject> {
    const file = await openFile(draft, 'wx', 0o600)
    try {
      const stored = await writeBody(file, { ...object, slot: ioScheduler.acquire(object.caller), writeBuffers })
      failpoint('after-chunk-write')
      failpoint('before-chunk-fsync')
      await syncFile(file)
      failpoint('after-chunk-fsync')
      return stored
    } finally {
      await closeFile(file)
    }
  }

  async function moveInto(draft: string, { fileId, index }: NewObject): Promise<void> {
    try {
      await rename(draft, pathOf(fileId, index))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      await mkdir(folderOf(fileId), { recursive: true, mode: 0o700 })
      await rename(draft, pathOf(fileId, index))
    }
  }

  /** False while the disk of the volume is not mounted. */
  const isPresent = (): Promise<boolean> =>
    access(incoming).then(
      () => true,
      () => false,
    )

  const removeNow = (fileId: string): Promise<void> => rm(folderOf(fileId), { recursive: true, force: true })

  return {
    id,
    location: folder,

    async put(object) {
      const draft = join(incoming, randomUUID())
      let reservation: SpaceReservation | undefined
      const onPiece = (bytes: number): void => {
        reservation?.use(bytes)
        object.onPiece?.(bytes)
      }
      try {
        reservation = await freeSpace.reserve(object.length.most)
        const stored = await writeDraft(draft, { ...object, onPiece })
        await moveInto(draft, object)
        failpoint('after-chunk-rename')
        return stored
      } catch (error) {
        await unlink(draft).catch((error: unknown) => ignore(error, 'the orphan sweep removes the draft'))
        throw toWriteError(error)
      } finally {
        reservation?.release()
      }
    },

    async open(fileId, index, range, caller) {
      try {
        return readPart(await openFile(pathOf(fileId, index), 'r'), range, ioScheduler.acquire(caller))
      } catch (error) {
        if (codeOf(error) === 'ENOENT' && (await isPresent())) throw apiError('FILE_BYTES_LOST', { cause: error })
        throw toReadError(error)
      }
    },

    async size(fileId, index) {
      try {
        return (await stat(pathOf(fileId, index))).size
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw toReadError(error)
      }
    },

    async bytesOf(fileId) {
      const path = folderOf(fileId)
      const names = await readdir(path).catch(() => [])
      const sizes = await Promise.all(names.map((name) => stat(join(path, name)).catch(() => null)))
      return sizes.reduce((bytes, found) => bytes + (found?.size ?? 0), 0)
    },

    async syncFolders(fileId) {
      failpoint('before-directory-fsync')
      try {
        for (const path of [folderOf(fileId), dirname(folderOf(fileId)), folder]) await syncFolder(path)
      } catch (error) {
        throw toWriteError(error)
      }
      failpoint('after-directory-fsync')
    },

    async remove(fileId) {
      // Whatever cannot be removed later is removed by the orphan sweep.
      const isHeld = holds.postpone(
        fileId,
        () => void removeNow(fileId).catch((error: unknown) => ignore(error, 'the orphan sweep removes the bytes')),
      )
      if (!isHeld) await removeNow(fileId)
    },

    hold: holds.hold,
    readers: holds.count,
    space: () => readDiskSpace(folder),

    async *list(): AsyncGenerator<StoredFile> {
      for await (const branch of await opendir(folder)) {
        if (!branch.isDirectory() || !/^[0-9a-f]{2}$/.test(branch.name)) continue
        for await (const entry of await opendir(join(folder, branch.name))) {
          if (!idPattern.test(entry.name)) continue
          const found = await stat(join(folder, branch.name, entry.name)).catch(() => null)
          if (found) yield { fileId: entry.name, ageMs: Date.now() - found.mtimeMs }
        }
      }
    },

    async removeStaleDrafts(olderThanMs) {
      let removed = 0
      for await (const entry of await opendir(incoming)) {
        const path = join(incoming, entry.name)
        const found = await stat(path).catch(() => null)
        if (!found || Date.now() - found.mtimeMs < olderThanMs) continue
        await unlink(path).catch((error: unknown) => ignore(error, 'the next orphan sweep tries again'))
        removed += 1
      }
      return removed
    },

    async freeBytes() {
      await access(incoming, constants.W_OK)
      return freeSpace.freeBytes()
    },

    async probe() {
      const path = join(incoming, `probe-${randomUUID()}`)
      try {
        await writeFile(path, 'probe', { flag: 'wx', flush: true })
      } finally {
        await unlink(path).catch((error: unknown) => ignore(error, 'the sweep removes it'))
      }
    },
  }
}

/** The folder with the objects of a file, each named by its index. */
export function fileFolder(volumeFolder: string, fileId: string): string {
  if (!idPattern.test(fileId)) throw new TypeError('Not a file id')
  return join(volumeFolder, fileId.slice(-2), fileId)
}

/** Flushes the entries of a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Maps errors of the operating system to UNAVAILABLE; returns every other error unchanged. */
function toReadError(error: unknown): unknown {
  return isSystemError(error) ? apiError('UNAVAILABLE', { cause: error }) : error
}

/** As `toReadError`, but maps a full disk to NO_SPACE and one that cannot be written to STORAGE_UNAVAILABLE. */
function toWriteError(error: unknown): unknown {
  const code = String(codeOf(error))
  if (!isSystemError(error)) return error
  if (noSpaceCodes.has(code)) return apiError('NO_SPACE', { cause: error })
  return notWritableCodes.has(code) ? apiError('STORAGE_UNAVAILABLE', { cause: error }) : toReadError(error)
}

const isSystemError = (error: unknown): boolean =>
  !(error instanceof ApiError) && /^E[A-Z0-9]+$/.test(String(codeOf(error)))
