import { CameraOff } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { scanStrings } from '#/strings/portals/scan.ts'
import { type PortalLink, readScannedLink } from '../pairing/portal-link.ts'
import { type CameraError, cameraErrorOf, openCamera, stopCamera, watchForCodes } from './scan-camera.ts'

interface ScanSheetProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onFound: (link: PortalLink) => void
}

type View = 'asking' | 'looking' | 'foreign' | CameraError

/** Scans the QR code of a portal. The camera is turned off when the sheet closes. */
export function ScanSheet({ open, onClose, onFound }: ScanSheetProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={scanStrings.title}
      actions={<Button onClick={onClose}>{scanStrings.typeCode}</Button>}
    >
      <Scanner onFound={onFound} />
    </Dialog>
  )
}

function Scanner({ onFound }: Pick<ScanSheetProps, 'onFound'>) {
  const video = useRef<HTMLVideoElement>(null)
  const view = useCamera(video, onFound)
  const isOn = view === 'looking' || view === 'foreign'
  return (
    <div className="flex flex-col gap-3">
      <div className="grid aspect-4/3 place-items-center overflow-hidden rounded-card bg-sunken text-ink-3">
        {isOn || view === 'asking' ? null : <CameraOff aria-hidden size={40} strokeWidth={1.5} />}
        <video
          ref={video}
          aria-label={scanStrings.view}
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
  if (view === 'asking') return `${scanStrings.asking}. ${scanStrings.askingHint}`
  return view === 'looking' ? scanStrings.pointCamera : scanStrings[view]
}

function useCamera(video: RefObject<HTMLVideoElement | null>, onFound: (link: PortalLink) => void): View {
  const [view, setView] = useState<View>('asking')
  const handleCode = useEffectEvent((text: string) => {
    const link = readScannedLink(text, location.origin)
    if (link) onFound(link)
    else setView('foreign')
  })

  useEffect(() => {
    let isDisposed = false
    let end = () => undefined as unknown
    async function start(): Promise<void> {
      const stream = await openCamera()
      const element = video.current
      if (isDisposed || !element) return stopCamera(stream)
      element.srcObject = stream
      const stopWatching = watchForCodes(element, handleCode)
      end = () => {
        stopWatching()
        stopCamera(stream)
      }
      for (const track of stream.getTracks()) track.addEventListener('ended', () => setView('busy'))
      setView('looking')
    }
    start().catch((error: unknown) => {
      if (!isDisposed) setView(cameraErrorOf(error))
    })
    return () => {
      isDisposed = true
      end()
    }
  }, [video])

  return view
}
