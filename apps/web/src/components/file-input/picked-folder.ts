import { type AddedFile, fitsEncryptedName, isSystemFile, maxFiles, type SkippedFiles, withPath } from './added-file.ts'

interface PickedFolder extends SkippedFiles {
  readonly files: readonly AddedFile[]
}

/** Sorts the files of a folder picker into accepted files with their paths and skipped ones. */
export function acceptPickedFolder(picked: readonly File[]): PickedFolder {
  const candidates = picked.filter(({ name }) => !isSystemFile(name))
  const [fitting, tooLong] = [
    candidates.filter((file) => fitsEncryptedName(file.webkitRelativePath)),
    candidates.filter((file) => !fitsEncryptedName(file.webkitRelativePath)),
  ]
  return {
    files: fitting.slice(0, maxFiles).map((file) => withPath(file, file.webkitRelativePath)),
    unreadable: [],
    tooLong: tooLong.map((file) => file.webkitRelativePath),
    emptyFolders: [],
    isTruncated: fitting.length > maxFiles,
  }
}
