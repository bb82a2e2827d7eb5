import { FolderUp, Send } from 'lucide-react'
import { useRef } from 'react'
import { FilePicker } from '#/components/file-input/file-picker.tsx'
import { canPickFolders } from '#/components/file-input/pick-files.ts'
import { Button } from '#/components/ui/button.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'

interface PortalSendProps {
  readonly isReady: boolean
  /** Files of a folder have a `webkitRelativePath`. */
  readonly onFiles: (files: readonly File[]) => void
}

/** The buttons that send files or a folder with its contents. */
export function PortalSend({ isReady, onFiles }: PortalSendProps) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  return (
    <div className="grid gap-2.5">
      <FilePicker ref={files} label={portalScreenStrings.sendFile} onFiles={onFiles} className="hidden" />
      <Button
        variant="primary"
        fullWidth
        className="max-md:h-control-large"
        disabled={!isReady}
        icon={<Send aria-hidden size={16} />}
        onClick={() => files.current?.click()}
      >
        {portalScreenStrings.sendFile}
      </Button>
      {canPickFolders() ? (
        <>
          <FilePicker ref={folder} folder label={portalScreenStrings.sendFolder} onFiles={onFiles} className="hidden" />
          <Button
            fullWidth
            className="max-md:h-control-large"
            disabled={!isReady}
            icon={<FolderUp aria-hidden size={16} />}
            onClick={() => folder.current?.click()}
          >
            {portalScreenStrings.sendFolder}
          </Button>
        </>
      ) : null}
    </div>
  )
}
