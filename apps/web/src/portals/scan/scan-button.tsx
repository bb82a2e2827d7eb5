import type { JoinInput } from '@sallyport/client/portal/meeting/room-code'
import { QrCode } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { scanWords } from '#/words/scan.ts'
import { joinInputOf } from '../link-secret.ts'

const ScanSheet = lazy(async () => ({ default: (await import('./scan-sheet.tsx')).ScanSheet }))

interface ScanButtonProps {
  readonly onJoin: (by: JoinInput) => void
}

/** Joins by the camera instead of by digits. What reads the picture is loaded when somebody asks for it. */
export function ScanButton({ onJoin }: ScanButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button fullWidth icon={<QrCode aria-hidden size={16} />} onClick={() => setOpen(true)}>
        {scanWords.open}
      </Button>
      {isOpen ? (
        <Suspense>
          <ScanSheet
            open
            onClose={() => setOpen(false)}
            onFound={(link) => {
              setOpen(false)
              onJoin(joinInputOf(link))
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
