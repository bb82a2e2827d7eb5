import { useTransferIndicators } from '#/components/transfers/use-transfer-indicators.ts'
import { TransferAnnouncer } from './transfer-announcer.tsx'
import { useTransfers } from './use-transfers.ts'

/** Shows the transfers in the browser tab and announces them to screen readers, on every screen. */
export function TransferIndicators() {
  useTransferIndicators(useTransfers().all)
  return <TransferAnnouncer />
}
