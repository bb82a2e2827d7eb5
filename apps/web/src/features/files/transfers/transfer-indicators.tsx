import { useTransferIndicators } from '#/components/transfers/use-transfer-indicators.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { useFilesContext } from '../files-context.ts'

/** Shows the transfers in the browser tab and announces them to screen readers, on every screen. */
export function TransferIndicators() {
  useTransferIndicators(useFilesContext().transfers.all)
  return <TransferAnnouncer />
}

/** Announces transfers to screen readers, which do not read progress bars as they move. */
function TransferAnnouncer() {
  const text = useObservable(useFilesContext().announcements)
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
