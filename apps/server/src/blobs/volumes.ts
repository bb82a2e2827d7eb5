import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import { createGatheredBytes, type GatheredBytes } from '../resources/gathered-bytes.ts'
import type { BlobStore } from './blob-store.ts'
import { goOn, type Reached } from './fail-points.ts'
import { createPassages } from './passages.ts'
import { createVolume } from './volume.ts'

const roomKnownMs = 5000

interface Places {
  readonly folders: readonly string[]
  readonly reached?: Reached
  /** What uploads hold in memory; a bound for these folders alone without it. */
  readonly gathering?: GatheredBytes
}

/** Opens the folders bytes are kept in, and makes those that are not there yet. */
export async function openVolumes({ folders, reached = goOn, gathering }: Places): Promise<Volumes> {
  const gathered = gathering ?? createGatheredBytes(resourceLimits.gatheredBytes)
  const opened: BlobStore[] = []
  const passages = createPassages()
  for (const folder of folders) {
    await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 })
    opened.push(createVolume({ id: await keepId(folder), folder, reached, passages, gathering: gathered }))
  }
  return createVolumes(opened)
}

/** Several stores as one: new files go where most room is, and each file stays where it went. */
export function createVolumes(all: readonly BlobStore[]) {
  const byId = new Map(all.map((store) => [store.id, store]))
  let known: { readonly roomiest: Promise<Room>; readonly until: number } | null = null

  return {
    all,
    /** The store for a new file. Refuses with NO_SPACE or UNAVAILABLE when there is none. */
    async choose(neededBytes: number): Promise<BlobStore> {
      const time = performance.now()
      if (!known || known.until <= time) known = { roomiest: findRoomiest(all), until: time + roomKnownMs }
      const { store, freeBytes } = await known.roomiest
      if (freeBytes < neededBytes) throw refuse('NO_SPACE')
      return store
    },
    /** The store a file went to. Refuses with UNAVAILABLE when it is not among ours (any more). */
    of(id: string): BlobStore {
      const store = byId.get(id)
      if (!store) throw refuse('UNAVAILABLE', { cause: new Error(`The volume ${id} is not here`) })
      return store
    },
    /** Removes the bytes of a file whose row is gone; what cannot be removed now is found by the orphan pass. */
    async remove(id: string, fileId: string): Promise<void> {
      await byId
        .get(id)
        ?.remove(fileId)
        .catch(() => undefined)
    },
    /** Throws unless some store takes bytes right now. */
    async probe(): Promise<void> {
      await Promise.any(all.map((store) => store.probe()))
    },
  }
}

export type Volumes = ReturnType<typeof createVolumes>

interface Room {
  readonly store: BlobStore
  readonly freeBytes: number
}

async function findRoomiest(all: readonly BlobStore[]): Promise<Room> {
  const rooms = await Promise.all(all.map(roomOf))
  const [roomiest] = rooms.filter((room) => room !== null).sort((one, other) => other.freeBytes - one.freeBytes)
  if (!roomiest) throw refuse('UNAVAILABLE', { cause: new Error('No volume takes bytes') })
  return roomiest
}

/** A disk that has failed can still tell how much room it has; only writing shows that it works. */
async function roomOf(store: BlobStore): Promise<Room | null> {
  try {
    const freeBytes = await store.freeBytes()
    if (freeBytes > 0) await store.probe()
    return { store, freeBytes }
  } catch {
    return null
  }
}

/** A volume carries its own name, so that it can be moved to another path without its files being lost. */
async function keepId(folder: string): Promise<string> {
  const path = join(folder, 'volume-id')
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
