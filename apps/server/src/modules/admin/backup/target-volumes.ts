import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileFolder } from '../../../platform/storage/volume.ts'
import { volumeIdFile } from '../../../platform/storage/volumes.ts'
import type { ListedFile } from './object-list.ts'
import { linkOrCopy, sizeOf } from './object-pool.ts'

export interface TargetVolume {
  readonly id: string
  readonly folder: string
}

/** Throws unless a folder is absent or empty. */
export async function requireEmptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw new Error(`${folder} is not empty. A backup is restored only into an empty folder.`)
}

/**
 * Assigns each volume of the backup to a folder: to the one that has its id, otherwise to one without an id, which gets
 * it. With fewer folders than volumes, the last folder gets the files of the others.
 */
export async function assignVolumes(
  ids: readonly string[],
  folders: readonly string[],
): Promise<Map<string, TargetVolume>> {
  const known = new Map<string, TargetVolume>()
  const unnamed: string[] = []
  for (const folder of folders) {
    await mkdir(join(folder, 'incoming'), { recursive: true, mode: 0o700 })
    const id = await readFile(join(folder, volumeIdFile), 'utf8').catch(() => null)
    if (id === null) unnamed.push(folder)
    else known.set(id.trim(), { id: id.trim(), folder })
  }
  for (const id of ids.filter((one) => !known.has(one))) {
    const folder = unnamed.shift()
    if (folder === undefined) break
    await writeFile(join(folder, volumeIdFile), id, { flag: 'wx', mode: 0o600, flush: true })
    known.set(id, { id, folder })
  }
  const last = [...known.values()].at(-1)
  return new Map(ids.flatMap((id) => [known.get(id) ?? last].flatMap((target) => (target ? [[id, target]] : []))))
}

/**
 * Puts the objects of a file into a volume, from the pool of the backup. False if the pool does not have all of them in
 * their length. As symbolic links they cost nothing, for a drill.
 */
export async function placeFile(
  pool: string,
  { volumeFolder, file, as }: { readonly volumeFolder: string; readonly file: ListedFile; readonly as: PlacedAs },
): Promise<boolean> {
  const [source, target] = [fileFolder(pool, file.id), fileFolder(volumeFolder, file.id)]
  const incoming = join(volumeFolder, 'incoming')
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const { index, bytes } of file.objects) {
    const [from, to] = [join(source, String(index)), join(target, String(index))]
    if ((await sizeOf(to)) === bytes) continue
    if ((await sizeOf(from)) !== bytes) return false
    if (as === 'symbolic-link') await symlink(resolve(from), to)
    else await linkOrCopy(from, to, incoming)
  }
  return true
}

export type PlacedAs = 'link-or-copy' | 'symbolic-link'

/** Whether a volume has all objects of a file in their length. */
export async function hasAllObjects(volumeFolder: string, { id, objects }: ListedFile): Promise<boolean> {
  for (const { index, bytes } of objects)
    if ((await sizeOf(join(fileFolder(volumeFolder, id), String(index)))) !== bytes) return false
  return objects.length > 0
}
