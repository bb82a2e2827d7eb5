import { PortalError } from '@sallyport/client/portal/channel'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { useEffect, useState } from 'react'
import { gatherFiles } from '#/intake/gather-files.ts'
import { sayLeftOut } from '#/intake/left-out.ts'
import { takePickedFolder } from '#/intake/picked-folder.ts'
import type { TakenFile } from '#/intake/taken-file.ts'
import { portalWords } from '#/words/portal.ts'
import { outgoingFile } from './outgoing-file.ts'
import { usePortal, usePortalWork } from './portal-context.ts'

/** Hands files and folders to the portal. What does not even begin is told in `trouble`, and what of folders stayed behind in `leftOut`. */
export function useSending() {
  const portal = usePortal()
  const { transfers } = usePortalWork()
  const [trouble, setTrouble] = useState<string | null>(null)
  const [leftOut, setLeftOut] = useState('')

  useEffect(() => {
    if (trouble === null) return
    const timer = setTimeout(() => setTrouble(null), classicPortalLimits.errorShownMs)
    return () => clearTimeout(timer)
  }, [trouble])

  async function send(files: readonly TakenFile[]): Promise<void> {
    if (files.length === 0) return
    try {
      await portal.send(files.map(outgoingFile))
    } catch (error) {
      // A transfer that has begun says so by itself.
      if (transfers.current().some(({ direction }) => direction === 'sending')) return
      setTrouble(error instanceof PortalError ? error.message : portalWords.transferFailed)
    }
  }

  async function sendFolders(entries: readonly FileSystemEntry[]): Promise<void> {
    const files: TakenFile[] = []
    setLeftOut(sayLeftOut(await gatherFiles(entries, { onFiles: (some) => void files.push(...some) })))
    await send(files)
  }

  function sendPicked(picked: readonly File[]): void {
    const isFolder = picked.some(({ webkitRelativePath }) => webkitRelativePath !== '')
    if (!isFolder) return void send(picked)
    const { files, ...rest } = takePickedFolder(picked)
    setLeftOut(sayLeftOut(rest))
    void send(files)
  }

  return {
    trouble,
    leftOut,
    sendPicked,
    sendFolders: (entries: readonly FileSystemEntry[]) => void sendFolders(entries),
    dismissLeftOut: () => setLeftOut(''),
  }
}
