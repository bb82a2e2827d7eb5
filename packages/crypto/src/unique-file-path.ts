import { partsOfPath } from './file-path.ts'
import { foldCase, numberedFileName, safeFileName } from './safe-file-name.ts'

/** What lies where, by its path in small letters. */
export type TakenPaths = Map<string, 'file' | 'folder'>

/**
 * A harmless path that differs from all those taken, whatever the case of its letters: folders with `/` between them,
 * each of them harmless, none of them upwards. Adds it to `taken`. No file lies where another needs a folder.
 */
export function uniqueFilePath(name: string, taken: TakenPaths): string {
  const parts = partsOfPath(name)
  let folder = ''
  for (const part of parts.slice(0, -1)) {
    const path = freePath(folder, part, (kind) => kind !== 'file')
    taken.set(foldCase(path), 'folder')
    folder = `${path}/`
  }
  const path = freePath(folder, parts.at(-1) ?? '', (kind) => kind === undefined)
  taken.set(foldCase(path), 'file')
  return path

  function freePath(before: string, part: string, isFree: (kind: 'file' | 'folder' | undefined) => boolean): string {
    const safe = safeFileName(part)
    let candidate = before + safe
    for (let count = 2; !isFree(taken.get(foldCase(candidate))); count += 1) {
      candidate = before + numberedFileName(safe, count)
    }
    return candidate
  }
}
