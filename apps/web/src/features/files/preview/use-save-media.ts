import { shareWithDevice } from '@sallyport/transfers/browser/downloads/share-with-device'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { describeDownload } from '#/strings/errors/download-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { useFilesContext } from '../files-context.ts'
import type { StoredFile } from '../stored-files.ts'
import { cameraRollType } from './media-type.ts'

/** How long decrypted bytes are kept for the second user gesture. */
const confirmTimeoutMs = 60_000

/** Saves an image or a video to the camera roll, and explains why other files cannot be saved there. */
export function useSaveMedia(): (file: StoredFile) => Promise<void> {
  const { deviceSaves } = useFilesContext()
  const toast = useToast()

  return async function save(file) {
    const type = cameraRollType(file.name)
    if (type === null) return toast({ text: fileStrings.notForCameraRoll, key: 'camera-roll' })
    const opened = deviceSaves.open(file)
    try {
      const blob = await opened.blob
      const share = () => shareWithDevice(blob, { name: file.name, type })
      if ((await share()) === 'handed') return opened.release({ isCopied: true })
      // A share sheet requires a recent user gesture, which has expired after the download.
      const releaseTimer = setTimeout(() => opened.release(), confirmTimeoutMs)
      const shareAgain = async () => {
        clearTimeout(releaseTimer)
        await share()
        opened.release({ isCopied: true })
      }
      toast({
        text: fileStrings.readyToSave(visibleFileName(file.name)),
        tone: 'seal',
        duration: confirmTimeoutMs,
        key: `save ${file.id}`,
        action: { label: fileStrings.save, onPress: () => void shareAgain() },
      })
    } catch (error) {
      opened.release()
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ text: messageFor(error, fileStrings.saveFailed, describeDownload), tone: 'rust', urgent: true })
    }
  }
}
