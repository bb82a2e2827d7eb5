import type { JoinInput } from '@sallyport/client/portal/pairing/room-code'
import { QrCode } from 'lucide-react'
import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Button } from '#/components/ui/button.tsx'
import { portalAccessStrings } from '#/strings/portals/portal-access.ts'
import { toJoinInput } from '../pairing/portal-link.ts'

const ScanSheet = lazyPart(async () => (await import('./scan-sheet.tsx')).ScanSheet, { notice: 'floating' })

interface ScanButtonProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onJoin: (input: JoinInput) => void
}

/** Joins by scanning a QR code instead of typing digits. The scanner is loaded on first use. */
export function ScanButton({ isOpen, onOpenChange, onJoin }: ScanButtonProps) {
  return (
    <>
      <Button fullWidth icon={<QrCode aria-hidden size={16} />} onClick={() => onOpenChange(true)}>
        {portalAccessStrings.scan}
      </Button>
      {isOpen ? (
        <Suspense>
          <ScanSheet
            open
            onClose={() => onOpenChange(false)}
            onFound={(link) => {
              onOpenChange(false)
              onJoin(toJoinInput(link))
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
