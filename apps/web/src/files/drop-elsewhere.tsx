import { useEffect } from 'react'
import { useIntake } from '#/intake/use-intake.ts'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { useFileWork } from './files-context.ts'
import { useExpiration } from './use-expiration.ts'

/** On screens that take no files themselves: what is dropped or pasted there is sealed like anything in Files. */
export function DropElsewhere() {
  const { uploads } = useFileWork()
  const { minutes } = useExpiration()
  const toast = useToast()
  const { onFiles, onFolders, leftOut } = useIntake((files) => uploads.add(files, { expirationMinutes: minutes }))
  const { isOver, fileCount, maybeFolders } = useFileDrop({ onFiles, onFolders, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  useEffect(() => {
    if (leftOut !== '') toast({ text: leftOut, key: 'left out' })
  }, [leftOut, toast])

  return <PageDropOverlay open={isOver} fileCount={fileCount} maybeFolders={maybeFolders} />
}
