import { useTransferSigns } from '#/transfer-views/use-transfer-signs.ts'
import { TransferNewsLine } from './transfer-news-line.tsx'
import { useTransfers } from './use-transfers.ts'

/** Tells on the browser's tab, and in one spoken line, how transfers go, whatever screen is shown. */
export function TransferSignals() {
  useTransferSigns(useTransfers().all)
  return <TransferNewsLine />
}
