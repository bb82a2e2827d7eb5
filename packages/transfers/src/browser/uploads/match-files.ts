import { lastPartOf } from '@sallyport/crypto'
import type { FileMetadata } from '../../engine/upload/file-source.ts'
import { matchesMetadata } from '../../engine/upload/reopen-upload.ts'

interface UploadToMatch extends FileMetadata {
  readonly id: string
}

/**
 * Matches chosen files to uploads by name, size and modification time. A file that matches several uploads in different
 * folders is not matched unless it was chosen with its folder.
 */
export function matchFiles(files: readonly File[], uploads: readonly UploadToMatch[]): ReadonlyMap<string, File> {
  const candidatesByKey = new Map<string, UploadToMatch[]>()
  for (const upload of uploads) {
    const key = keyOf(lastPartOf(upload.name), upload.size)
    candidatesByKey.set(key, [...(candidatesByKey.get(key) ?? []), upload])
  }
  const found = new Map<string, File>()
  for (const file of files) {
    const path = file.webkitRelativePath.normalize('NFC')
    const candidates = candidatesByKey.get(keyOf(file.name.normalize('NFC'), file.size)) ?? []
    const matching = candidates.filter(
      (candidate) => matchesMetadata(file, candidate) && mayBeSamePath(path, candidate.name),
    )
    const isOneFile = new Set(matching.map(({ name }) => name)).size === 1
    if (isOneFile) for (const { id } of matching) found.set(id, file)
  }
  return found
}

const keyOf = (name: string, size: number): string => `${size} ${name}`

/** Compares path suffixes, because the user may choose a folder higher or lower than before. */
const mayBeSamePath = (path: string, name: string): boolean =>
  path === '' || path === name || name.endsWith(`/${path}`) || path.endsWith(`/${name}`)
