import { ignore } from '@sallyport/contract/ignore'
import { setFolderHandle } from '@sallyport/transfers/browser/uploads/file-handles'
import { type AddedFile, fitsEncryptedName, isSystemFile, maxFiles, type SkippedFiles, withPath } from './added-file.ts'

interface GatherOptions {
  /** Called repeatedly with the next files, so that uploading can start while folders are still being read. */
  readonly onFiles: (files: readonly AddedFile[]) => void
}

/** Finds every file in dropped entries and their folders, and reports what was skipped. Never rejects. */
export async function gatherFiles(
  entries: readonly FileSystemEntry[],
  { onFiles }: GatherOptions,
): Promise<SkippedFiles> {
  const unreadable: string[] = []
  const tooLong: string[] = []
  let emptyFolders: string[] = []
  const entriesByName = new Map(entries.map((entry) => [entry.name, entry]))
  let acceptedCount = 0
  let isTruncated = false

  async function acceptEntries(batch: readonly FileSystemEntry[]): Promise<number> {
    const listed = batch.filter(isFile).filter(({ name, fullPath }) => !isSystemFile(name) || depthOf(fullPath) === 0)
    const remaining = maxFiles - acceptedCount
    if (listed.length > remaining) isTruncated = true
    const opened = await Promise.all(listed.slice(0, remaining).map(openEntry))
    const files = opened.filter((file) => file !== null)
    acceptedCount += files.length
    if (files.length > 0) onFiles(files)
    let count = listed.length
    for (const folder of batch.filter(isFolder)) if (!isTruncated) count += await acceptFolder(folder)
    return count
  }

  async function openEntry(entry: FileSystemFileEntry): Promise<AddedFile | null> {
    const path = pathOf(entry)
    if (!fitsEncryptedName(path)) {
      tooLong.push(path)
      return null
    }
    try {
      const file = await fileOf(entry)
      const [first = '', ...steps] = path.split('/')
      const folder = entriesByName.get(first)
      if (folder && steps.length > 0) setFolderHandle(file, folder, steps)
      return withPath(file, steps.length === 0 ? '' : path)
    } catch (error) {
      ignore(error, 'the file is listed as unreadable')
      unreadable.push(path)
      return null
    }
  }

  async function acceptFolder(folder: FileSystemDirectoryEntry): Promise<number> {
    let count = 0
    try {
      for await (const batch of readBatches(folder)) count += await acceptEntries(batch)
    } catch (error) {
      ignore(error, 'the folder is listed as unreadable')
      unreadable.push(pathOf(folder))
      return count
    }
    const path = pathOf(folder)
    // Of nested empty folders the outermost is named.
    if (count === 0) emptyFolders = [...emptyFolders.filter((inner) => !inner.startsWith(`${path}/`)), path]
    return count
  }

  await acceptEntries(entries)
  return { unreadable, tooLong, emptyFolders, isTruncated }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '')
const depthOf = (fullPath: string): number => fullPath.replace(/^\//, '').split('/').length - 1

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** Browsers return about 100 entries of a folder at a time, and an empty batch at the end. */
async function* readBatches(folder: FileSystemDirectoryEntry): AsyncGenerator<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (batch.length === 0) return
    yield batch
  }
}
