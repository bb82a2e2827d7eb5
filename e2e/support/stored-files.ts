import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What lies in a folder; nothing, where the server is removing it at this moment or has not made it yet. */
function look(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The files that lie under a folder while a server works there. */
export function filesBelow(folder: string): string[] {
  return look(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** The objects in a server's volume that belong to files and uploads, by their paths. */
export const storedObjects = (dataFolder: string): string[] =>
  filesBelow(join(dataFolder, 'volumes', 'main')).filter((path) => /\/\d+$/.test(path))

/** The ids of the files and uploads that a server's volume has a folder for, in order. */
export function storedFiles(dataFolder: string): string[] {
  const volume = join(dataFolder, 'volumes', 'main')
  return look(volume)
    .filter(({ name }) => /^[0-9a-f]{2}$/.test(name))
    .flatMap(({ name }) => look(join(volume, name)))
    .map(({ name }) => name)
    .sort()
}
