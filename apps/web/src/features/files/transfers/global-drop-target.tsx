import { useEffect } from 'react'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { useIntake } from '#/components/file-input/use-intake.ts'
import { usePastedFiles } from '#/components/file-input/use-pasted-files.ts'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useFilesContext } from '../files-context.ts'
import { useExpiration } from '../use-expiration.ts'

/** Accepts files on screens without a drop zone: dropped and pasted files are uploaded to the account. */
export function GlobalDropTarget() {
  const { interrupted } = useFilesContext()
  const { minutes } = useExpiration()
  const toast = useToast()
  const { onFiles, onFolders, onNothing, skippedMessage } = useIntake(
    (files) => void interrupted.addOrResume(files, { expirationMinutes: minutes }),
  )
  const { isOver, fileCount, maybeFolders } = useFileDrop({ onFiles, onFolders, onNothing, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  useEffect(() => {
    if (skippedMessage !== '') toast({ text: skippedMessage, key: 'left out' })
  }, [skippedMessage, toast])

  return <PageDropOverlay open={isOver} fileCount={fileCount} mayContainFolders={maybeFolders} />
}
