import { useState } from 'react'
import { intakeStrings } from '#/strings/intake.ts'
import type { AddedFile } from './added-file.ts'
import { describeSkippedFiles } from './describe-skipped-files.ts'
import { gatherFiles } from './gather-files.ts'
import { acceptPickedFolder } from './picked-folder.ts'

/** Accepts files and folders. `skippedMessage` describes what was skipped until it is dismissed. */
export function useIntake(onFiles: (files: readonly AddedFile[]) => void) {
  const [skippedMessage, setSkippedMessage] = useState('')

  async function addFolders(entries: readonly FileSystemEntry[]): Promise<void> {
    setSkippedMessage('')
    setSkippedMessage(describeSkippedFiles(await gatherFiles(entries, { onFiles })))
  }

  function addPickedFolder(picked: readonly File[]): void {
    const { files, ...rest } = acceptPickedFolder(picked)
    setSkippedMessage(describeSkippedFiles(rest))
    if (files.length > 0) onFiles(files)
  }

  return {
    onFiles,
    onFolders: (entries: readonly FileSystemEntry[]) => void addFolders(entries),
    onPickedFolder: addPickedFolder,
    onNothing: () => setSkippedMessage(intakeStrings.notHandedOver),
    skippedMessage,
    dismiss: () => setSkippedMessage(''),
  }
}
