import { randomUUID } from 'node:crypto'
import { close as closeCallback, open as openCallback } from 'node:fs'
import { access, constants, mkdir, open, opendir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError, refuse } from '../errors.ts'
import type { GatheredBytes } from '../resources/gathered-bytes.ts'
import type { BlobStore, NewObject, StoredFile, StoredObject } from './blob-store.ts'
import type { Reached } from './fail-points.ts'
import { createHolds } from './holds.ts'
import type { Passages } from './passages.ts'
import { readPart } from './read-part.ts'
import { createRoom, type Promised } from './room.ts'
import { syncFile, writeBody } from './write-body.ts'

const holdRemovedMs = 60 * 60 * 1000
const noRoomCodes = new Set(['ENOSPC', 'EDQUOT'])
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const openFile = promisify(openCallback)
const closeFile = promisify(closeCallback)

interface Parts {
  readonly id: string
  readonly folder: string
  readonly reached: Reached
  readonly passages: Passages
  readonly gathering: GatheredBytes
}

/**
 * Keeps objects as files of a folder, `<two characters>/<file id>/<index>`. What is not whole yet lies in `incoming`.
 * Every path is made from ids of the server's own.
 */
export function createVolume({ id, folder, reached, passages, gathering }: Parts): BlobStore {
  const incoming = join(folder, 'incoming')
  const holds = createHolds(holdRemovedMs)
  const room = createRoom(folder)

  function branchOf(fileId: string): string {
    if (!idPattern.test(fileId)) throw new TypeError('This is not an id of a file')
    return join(folder, fileId.slice(-2))
  }
  const folderOf = (fileId: string): string => join(branchOf(fileId), fileId)
  const pathOf = (fileId: string, index: number): string => join(folderOf(fileId), String(index))

  async function writeDraft(draft: string, object: NewObject): Promise<StoredObject> {
    const file = await openFile(draft, 'wx', 0o600)
    try {
      const stored = await writeBody(file, { ...object, passages, gathering })
      reached('after-chunk-write')
      reached('before-chunk-fsync')
      await syncFile(file)
      reached('after-chunk-fsync')
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

  const removeNow = (fileId: string): Promise<void> => rm(folderOf(fileId), { recursive: true, force: true })

  return {
    id,

    async put(object) {
      const draft = join(incoming, randomUUID())
      let promised: Promised | undefined
      const onPiece = (bytes: number): void => {
        promised?.use(bytes)
        object.onPiece?.(bytes)
      }
      try {
        promised = await room.promise(object.length.most)
        const stored = await writeDraft(draft, { ...object, onPiece })
        await moveInto(draft, object)
        reached('after-chunk-rename')
        return stored
      } catch (error) {
        await unlink(draft).catch(() => undefined)
        throw asRefusal(error)
      } finally {
        promised?.leave()
      }
    },

    async open(fileId, index, range) {
      try {
        return readPart(await openFile(pathOf(fileId, index), 'r'), range, passages)
      } catch (error) {
        throw asRefusal(error)
      }
    },

    async size(fileId, index) {
      try {
        return (await stat(pathOf(fileId, index))).size
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw asRefusal(error)
      }
    },

    async settle(fileId) {
      reached('before-directory-fsync')
      try {
        for (const path of [folderOf(fileId), branchOf(fileId), folder]) await syncFolder(path)
      } catch (error) {
        throw asRefusal(error)
      }
      reached('after-directory-fsync')
    },

    async remove(fileId) {
      // What cannot be removed later is found by the orphan pass.
      const isHeld = holds.postpone(fileId, () => void removeNow(fileId).catch(() => undefined))
      if (!isHeld) await removeNow(fileId)
    },

    hold: holds.hold,

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

    async tidy(olderThanMs) {
      let removed = 0
      for await (const entry of await opendir(incoming)) {
        const path = join(incoming, entry.name)
        const found = await stat(path).catch(() => null)
        if (!found || Date.now() - found.mtimeMs < olderThanMs) continue
        await unlink(path).catch(() => undefined)
        removed += 1
      }
      return removed
    },

    async freeBytes() {
      await access(incoming, constants.W_OK)
      return room.freeBytes()
    },

    async probe() {
      const path = join(incoming, `probe-${randomUUID()}`)
      await writeFile(path, 'probe', { flag: 'wx', flush: true })
      await unlink(path)
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** A disk without room is one thing; whatever else goes wrong with it makes the volume unavailable. */
function asRefusal(error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof AppError || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error
  return refuse(noRoomCodes.has(code) ? 'NO_SPACE' : 'UNAVAILABLE', { cause: error })
}
