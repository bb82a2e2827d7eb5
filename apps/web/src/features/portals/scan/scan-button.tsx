import type { JoinInput } from '@sallyport/client/portal/pairing/room-code'
import { QrCode } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { lazyPart } from '#/lib/lazy-part.ts'
import { scanStrings } from '#/strings/portals/scan.ts'
import { toJoinInput } from '../pairing/portal-link.ts'

const ScanSheet = lazyPart(async () => (await import('./scan-sheet.tsx')).ScanSheet)

interface ScanButtonProps {
  readonly onJoin: (input: JoinInput) => void
}

/** Joins by scanning a QR code instead of typing digits. The scanner is loaded on first use. */
export function ScanButton({ onJoin }: ScanButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button fullWidth icon={<QrCode aria-hidden size={16} />} onClick={() => setOpen(true)}>
        {scanStrings.open}
      </Button>
      {isOpen ? (
        <Suspense>
          <ScanSheet
            open
            onClose={() => setOpen(false)}
            onFound={(link) => {
              setOpen(false)
              onJoin(toJoinInput(link))
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
