import { keepFolderHandle } from '#/ui/file-handles.ts'
import { fitsIntoName, isLeftBehind, type LeftOut, mostFiles, type TakenFile, withPath } from './taken-file.ts'

interface Gathering {
  /** Called again and again with the next few files, so that the first can leave while the rest is looked for. */
  readonly onFiles: (files: readonly TakenFile[]) => void
}

/** Finds every file in what was dropped, however deep in folders, and says what was left out. Never rejects. */
export async function gatherFiles(entries: readonly FileSystemEntry[], { onFiles }: Gathering): Promise<LeftOut> {
  const unreadable: string[] = []
  const tooLong: string[] = []
  const emptyFolders: string[] = []
  const given = new Map(entries.map((entry) => [entry.name, entry]))
  let taken = 0
  let isCut = false

  async function takeAll(batch: readonly FileSystemEntry[]): Promise<number> {
    const listed = batch.filter(isFile).filter(({ name, fullPath }) => !isLeftBehind(name) || depthOf(fullPath) === 0)
    const room = mostFiles - taken
    if (listed.length > room) isCut = true
    const found = await Promise.all(listed.slice(0, room).map(takeOne))
    const files = found.filter((file) => file !== null)
    taken += files.length
    if (files.length > 0) onFiles(files)
    let count = listed.length
    for (const folder of batch.filter(isFolder)) if (!isCut) count += await takeFolder(folder)
    return count
  }

  async function takeOne(entry: FileSystemFileEntry): Promise<TakenFile | null> {
    const path = pathOf(entry)
    if (!fitsIntoName(path)) {
      tooLong.push(path)
      return null
    }
    try {
      const file = await fileOf(entry)
      const [first = '', ...steps] = path.split('/')
      const folder = given.get(first)
      if (folder && steps.length > 0) keepFolderHandle(file, folder, steps)
      return withPath(file, steps.length === 0 ? '' : path)
    } catch {
      unreadable.push(path)
      return null
    }
  }

  async function takeFolder(folder: FileSystemDirectoryEntry): Promise<number> {
    let count = 0
    try {
      for await (const batch of batchesOf(folder)) count += await takeAll(batch)
    } catch {
      unreadable.push(pathOf(folder))
      return count
    }
    if (count === 0 && depthOf(folder.fullPath) === 0) emptyFolders.push(folder.name)
    return count
  }

  await takeAll(entries)
  return { unreadable, tooLong, emptyFolders, isCut }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '')
const depthOf = (fullPath: string): number => fullPath.replace(/^\//, '').split('/').length - 1

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** Browsers name about a hundred entries of a folder at a time, and none once all were named. */
async function* batchesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (batch.length === 0) return
    yield batch
  }
}
