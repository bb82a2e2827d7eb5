import { LedgerTable } from '#/motifs/ledger-table.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { ledgerDetails, ledgerIntro, ledgerLimit, serverSeesTitle } from '#/words/ledger.ts'

interface LedgerDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export function LedgerDialog({ open, onOpenChange }: LedgerDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={serverSeesTitle} description={ledgerIntro}>
      <LedgerTable rows={ledgerDetails} />
      <p className="mt-4 text-sm text-ink-3">{ledgerLimit}</p>
    </Dialog>
  )
}
