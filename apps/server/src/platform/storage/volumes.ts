import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignore } from '@sallyport/contract/ignore'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'
import type { BlobStore } from './blob-store.ts'
import { type Failpoint, noFailpoint } from './failpoints.ts'
import { createIoScheduler } from './io-scheduler.ts'
import { createVolume } from './volume.ts'
import { createWriteBufferBudget, type WriteBufferBudget } from './write-buffer-budget.ts'

/** The file in a volume that holds its id. */
export const volumeIdFile = 'volume-id'

const freeSpaceCacheMs = 5000

interface OpenVolumesOptions {
  readonly folders: readonly string[]
  readonly failpoint?: Failpoint
  /** Memory budget for upload buffers; a separate one for these folders if omitted. */
  readonly writeBuffers?: WriteBufferBudget
}

/** Opens the volumes in these folders, creating folders that do not exist. */
export async function openVolumes({
  folders,
  failpoint = noFailpoint,
  writeBuffers,
}: OpenVolumesOptions): Promise<Volumes> {
  const budget = writeBuffers ?? createWriteBufferBudget(resourceLimits.bufferedUploadBytes)
  const opened: BlobStore[] = []
  const ioScheduler = createIoScheduler()
  for (const folder of folders) {
    await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 })
    opened.push(
      createVolume({ id: await readOrCreateVolumeId(folder), folder, failpoint, ioScheduler, writeBuffers: budget }),
    )
  }
  return createVolumes(opened)
}

/** Combines several stores: a new file goes to the store with the most free space and stays there. */
export function createVolumes(all: readonly BlobStore[]) {
  const byId = new Map(all.map((store) => [store.id, store]))
  const orphans = new Map<string, number>()
  let cached: { readonly mostFree: Promise<VolumeSpace>; readonly until: number } | null = null

  return {
    all,
    /** Chooses the store for a new file. Throws NO_SPACE or STORAGE_UNAVAILABLE if there is none. */
    async choose(neededBytes: number): Promise<BlobStore> {
      const time = performance.now()
      if (!cached || cached.until <= time) cached = { mostFree: findMostFree(all), until: time + freeSpaceCacheMs }
      const { store, freeBytes } = await cached.mostFree
      if (freeBytes < neededBytes) throw apiError('NO_SPACE')
      return store
    },
    /** The store of a file. Throws UNAVAILABLE if it is not configured (any more). */
    of(id: string): BlobStore {
      const store = byId.get(id)
      if (!store) throw apiError('UNAVAILABLE', { cause: new Error(`Volume ${id} is not configured`) })
      return store
    },
    /**
     * Removes the bytes of a file whose row is deleted; bytes that cannot be removed now are removed by the orphan
     * sweep.
     */
    async remove(id: string, fileId: string): Promise<void> {
      await byId
        .get(id)
        ?.remove(fileId)
        .catch((error: unknown) => ignore(error, 'the orphan sweep removes the bytes'))
    },
    /** Remembers how many files without a row the last pass has found on a store. */
    setOrphans: (id: string, count: number): void => void orphans.set(id, count),
    /** That number; null before the first pass. */
    orphansOn: (id: string): number | null => orphans.get(id) ?? null,
    /** Throws unless a store is writable. */
    async probe(): Promise<void> {
      await Promise.any(all.map((store) => store.probe()))
    },
  }
}

export type Volumes = ReturnType<typeof createVolumes>

interface VolumeSpace {
  readonly store: BlobStore
  readonly freeBytes: number
}

async function findMostFree(all: readonly BlobStore[]): Promise<VolumeSpace> {
  const spaces = await Promise.all(all.map(getSpace))
  const [mostFree] = spaces.filter((space) => space !== null).sort((one, other) => other.freeBytes - one.freeBytes)
  if (!mostFree) throw apiError('STORAGE_UNAVAILABLE', { cause: new Error('No volume is writable') })
  return mostFree
}

/** A failed disk may still report its free space, so that writability is probed as well. */
async function getSpace(store: BlobStore): Promise<VolumeSpace | null> {
  try {
    const freeBytes = await store.freeBytes()
    if (freeBytes > 0) await store.probe()
    return { store, freeBytes }
  } catch {
    return null
  }
}

/** The id is stored inside the volume, so that its folder can be moved without losing files. */
async function readOrCreateVolumeId(folder: string): Promise<string> {
  const path = join(folder, volumeIdFile)
  try {
    const file = await open(path, 'wx', 0o600)
    const id = randomUUID()
    await file.writeFile(id)
    await file.sync()
    await file.close()
    return id
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  }
}
