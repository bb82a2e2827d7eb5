import { FolderUp, Send } from 'lucide-react'
import { useRef } from 'react'
import { FilePicker } from '#/intake/file-picker.tsx'
import { Button } from '#/ui/button.tsx'
import { canPickFolders } from '#/ui/pick-files.ts'
import { portalWords } from '#/words/portal.ts'

interface PortalSendProps {
  readonly isReady: boolean
  /** Files of a folder have their `webkitRelativePath`. */
  readonly onFiles: (files: readonly File[]) => void
}

/** What a portal is for: handing over files, or a folder with all that is in it. */
export function PortalSend({ isReady, onFiles }: PortalSendProps) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  return (
    <div className="grid gap-2.5">
      <FilePicker ref={files} label={portalWords.sendFile} onFiles={onFiles} className="hidden" />
      <Button
        variant="primary"
        fullWidth
        className="max-md:h-control-large"
        disabled={!isReady}
        icon={<Send aria-hidden size={16} />}
        onClick={() => files.current?.click()}
      >
        {portalWords.sendFile}
      </Button>
      {canPickFolders() ? (
        <>
          <FilePicker ref={folder} folder label={portalWords.sendFolder} onFiles={onFiles} className="hidden" />
          <Button
            fullWidth
            className="max-md:h-control-large"
            disabled={!isReady}
            icon={<FolderUp aria-hidden size={16} />}
            onClick={() => folder.current?.click()}
          >
            {portalWords.sendFolder}
          </Button>
        </>
      ) : null}
    </div>
  )
}
