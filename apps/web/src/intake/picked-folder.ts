import { fitsIntoName, isLeftBehind, type LeftOut, mostFiles, type TakenFile, withPath } from './taken-file.ts'

interface PickedFolder extends LeftOut {
  readonly files: readonly TakenFile[]
}

/** Sorts what a folder picker has given: the files with their folders, and what was left out. */
export function takePickedFolder(picked: readonly File[]): PickedFolder {
  const wanted = picked.filter(({ name }) => !isLeftBehind(name))
  const [fitting, tooLong] = [
    wanted.filter((file) => fitsIntoName(file.webkitRelativePath)),
    wanted.filter((file) => !fitsIntoName(file.webkitRelativePath)),
  ]
  return {
    files: fitting.slice(0, mostFiles).map((file) => withPath(file, file.webkitRelativePath)),
    unreadable: [],
    tooLong: tooLong.map((file) => file.webkitRelativePath),
    emptyFolders: [],
    isCut: fitting.length > mostFiles,
  }
}
