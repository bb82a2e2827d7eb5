import { useState } from 'react'
import { gatherFiles } from './gather-files.ts'
import { sayLeftOut } from './left-out.ts'
import { takePickedFolder } from './picked-folder.ts'
import type { TakenFile } from './taken-file.ts'

/** Takes files and whole folders; what could not be taken is told in `leftOut` until it is dismissed. */
export function useIntake(onFiles: (files: readonly TakenFile[]) => void) {
  const [leftOut, setLeftOut] = useState('')

  async function takeFolders(entries: readonly FileSystemEntry[]): Promise<void> {
    setLeftOut('')
    setLeftOut(sayLeftOut(await gatherFiles(entries, { onFiles })))
  }

  function takePicked(picked: readonly File[]): void {
    const { files, ...rest } = takePickedFolder(picked)
    setLeftOut(sayLeftOut(rest))
    if (files.length > 0) onFiles(files)
  }

  return {
    onFiles,
    onFolders: (entries: readonly FileSystemEntry[]) => void takeFolders(entries),
    onPickedFolder: takePicked,
    leftOut,
    dismiss: () => setLeftOut(''),
  }
}
