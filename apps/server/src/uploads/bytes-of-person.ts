import type { Volumes } from '../blobs/volumes.ts'
import type { UploadsStore } from './uploads.store.ts'

interface Parts {
  readonly store: Pick<UploadsStore, 'placesOf'>
  readonly volumes: Volumes
}

/**
 * Removes a person by what is given, and then the bytes of all that they had. What a crash leaves of these is found by
 * the orphan pass.
 */
export function withBytesOfPerson(remove: (userId: string) => Promise<boolean>, { store, volumes }: Parts) {
  return async (userId: string): Promise<boolean> => {
    const places = await store.placesOf(userId)
    const isRemoved = await remove(userId)
    if (isRemoved) for (const { volume, id } of places) await volumes.remove(volume, id)
    return isRemoved
  }
}
