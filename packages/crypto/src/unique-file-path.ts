import { partsOfPath } from './file-path.ts'
import { safeFileName } from './safe-file-name.ts'
import { foldCase, numberedFileName } from './unique-file-name.ts'

/** The kind of each used path, by the path in lower case. */
export type UsedPaths = Map<string, 'file' | 'folder'>

/**
 * Returns a safe path that differs from all used ones case-insensitively: folders separated by `/`, each of them safe,
 * no parent folders. Adds it to `usedPaths`. No file gets the path of a folder.
 */
export function uniqueFilePath(name: string, usedPaths: UsedPaths): string {
  const parts = partsOfPath(name)
  let folder = ''
  for (const part of parts.slice(0, -1)) {
    const path = findFreePath(folder, part, (kind) => kind !== 'file')
    usedPaths.set(foldCase(path), 'folder')
    folder = `${path}/`
  }
  const path = findFreePath(folder, parts.at(-1) ?? '', (kind) => kind === undefined)
  usedPaths.set(foldCase(path), 'file')
  return path

  function findFreePath(
    parent: string,
    part: string,
    isFree: (kind: 'file' | 'folder' | undefined) => boolean,
  ): string {
    const safe = safeFileName(part)
    let candidate = parent + safe
    for (let count = 2; !isFree(usedPaths.get(foldCase(candidate))); count += 1) {
      candidate = parent + numberedFileName(safe, count)
    }
    return candidate
  }
}
