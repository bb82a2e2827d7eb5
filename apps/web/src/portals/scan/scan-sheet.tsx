import { CameraOff } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { scanWords } from '#/words/scan.ts'
import type { PortalLink } from '../link-secret.ts'
import { type CameraTrouble, openCamera, stopCamera, troubleOf, watchForCodes } from './scan-camera.ts'
import { readScannedLink } from './scan-link.ts'

interface ScanSheetProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onFound: (link: PortalLink) => void
}

type View = 'asking' | 'looking' | 'foreign' | CameraTrouble

/** Looks through the camera for the QR code of a portal. The camera is off again when the sheet is. */
export function ScanSheet({ open, onClose, onFound }: ScanSheetProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={scanWords.title}
      actions={<Button onClick={onClose}>{scanWords.typeCode}</Button>}
    >
      <Finder onFound={onFound} />
    </Dialog>
  )
}

function Finder({ onFound }: Pick<ScanSheetProps, 'onFound'>) {
  const video = useRef<HTMLVideoElement>(null)
  const view = useCamera(video, onFound)
  const isOn = view === 'looking' || view === 'foreign'
  return (
    <div className="flex flex-col gap-3">
      <div className="grid aspect-4/3 place-items-center overflow-hidden rounded-card bg-sunken text-ink-3">
        {isOn || view === 'asking' ? null : <CameraOff aria-hidden size={40} strokeWidth={1.5} />}
        <video
          ref={video}
          aria-label={scanWords.view}
          autoPlay
          playsInline
          muted
          hidden={!isOn}
          className="size-full object-cover"
        />
      </div>
      <p role={isOn ? 'status' : 'alert'} className="min-h-10 text-sm text-ink-2">
        {textOf(view)}
      </p>
    </div>
  )
}

function textOf(view: View): string {
  if (view === 'asking') return `${scanWords.asking}. ${scanWords.askingHint}`
  return view === 'looking' ? scanWords.look : scanWords[view]
}

function useCamera(video: RefObject<HTMLVideoElement | null>, onFound: (link: PortalLink) => void): View {
  const [view, setView] = useState<View>('asking')
  const read = useEffectEvent((text: string) => {
    const link = readScannedLink(text, location.origin)
    if (link) onFound(link)
    else setView('foreign')
  })

  useEffect(() => {
    let isOver = false
    let end = () => undefined as unknown
    async function start(): Promise<void> {
      const stream = await openCamera()
      const element = video.current
      if (isOver || !element) return stopCamera(stream)
      element.srcObject = stream
      const stopWatching = watchForCodes(element, read)
      end = () => {
        stopWatching()
        stopCamera(stream)
      }
      for (const track of stream.getTracks()) track.addEventListener('ended', () => setView('busy'))
      setView('looking')
    }
    start().catch((error: unknown) => {
      if (!isOver) setView(troubleOf(error))
    })
    return () => {
      isOver = true
      end()
    }
  }, [video])

  return view
}
