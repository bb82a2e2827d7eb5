import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lists a folder; empty if the server has just removed it or has not created it yet. */
function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Lists all files under a folder that a server is using. */
export function listFiles(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

/** The objects in a server's volume that belong to files and uploads, by their paths. */
export const storedObjects = (dataFolder: string): string[] =>
  listFiles(join(dataFolder, 'volumes', 'main')).filter((path) => /\/\d+$/.test(path))

/** The ids of the files and uploads that a server's volume has a folder for, in order. */
export function storedFiles(dataFolder: string): string[] {
  const volume = join(dataFolder, 'volumes', 'main')
  return listFolder(volume)
    .filter(({ name }) => /^[0-9a-f]{2}$/.test(name))
    .flatMap(({ name }) => listFolder(join(volume, name)))
    .map(({ name }) => name)
    .sort()
}
