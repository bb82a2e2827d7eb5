import { speak } from '#/api/failure.ts'
import { handToDevice } from '#/transfers/hand-to-device.ts'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'
import { useFileWork } from './files-context.ts'
import { cameraRollType } from './media-type.ts'
import type { StoredFile } from './stored-files.ts'

/** How long a file waits for the second press before its bytes are let go of. */
const pressWithinMs = 60_000

/** Saves a picture or a film to the camera roll; says of any other file why not. */
export function useSaveMedia(): (file: StoredFile) => Promise<void> {
  const { savings } = useFileWork()
  const toast = useToast()

  return async function save(file) {
    const type = cameraRollType(file.name)
    if (type === null) return toast({ text: fileWords.notForCameraRoll, key: 'camera-roll' })
    const opened = savings.open(file)
    try {
      const blob = await opened.blob
      const hand = () => handToDevice(blob, { name: file.name, type })
      if ((await hand()) === 'handed') return opened.release({ isCopied: true })
      // A share sheet opens only in the moment of a press, and the first one is over by now.
      const release = setTimeout(() => opened.release(), pressWithinMs)
      const press = async () => {
        clearTimeout(release)
        await hand()
        opened.release({ isCopied: true })
      }
      toast({
        text: fileWords.readyToSave(file.name),
        tone: 'seal',
        duration: pressWithinMs,
        key: `save ${file.id}`,
        action: { label: 'Save', onPress: () => void press() },
      })
    } catch (error) {
      opened.release()
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ text: speak(error, fileWords.saveFailed), tone: 'rust', urgent: true })
    }
  }
}
