import { PrivacySummaryTable } from '#/components/brand/privacy-summary-table.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { landingStrings } from '#/strings/account/landing.ts'
import { privacySummaryDetails, privacySummaryStrings as strings } from '#/strings/account/privacy-summary.ts'
import { LegalLinks } from '../legal-links.tsx'

interface PrivacySummaryDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export function PrivacySummaryDialog({ open, onOpenChange }: PrivacySummaryDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={landingStrings.serverSees} description={strings.intro}>
      <PrivacySummaryTable rows={privacySummaryDetails()} />
      <p className="mt-4 mb-3 text-sm text-ink-3">{strings.limit}</p>
      <LegalLinks />
    </Dialog>
  )
}
