import { formatPercent } from '@sallyport/contract/formats'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { useTabIcon } from '#/components/ui/hooks/use-tab-icon.ts'
import { useTitleOverride } from '#/components/ui/hooks/use-title-override.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { productName } from '#/strings/product.ts'
import { renderTabIcon, type TabIconState } from './tab-icon.ts'
import { sumTransfers, type TransferTotal } from './transfer-total.ts'

/** Shows the progress of transfers in the browser tab's title and icon, on every screen. */
export function useTransferIndicators(transfers: JobList): void {
  useObservable(transfers)
  const sum = sumTransfers(transfers)
  const iconState = iconStateOf(sum)
  useTitleOverride(sum.active > 0 ? `${formatPercent(sum.delivered)} · ${productName}` : null)
  useTabIcon(iconState === null ? null : renderTabIcon(iconState))
}

function iconStateOf({ active, failed, done, delivered }: TransferTotal): TabIconState | null {
  if (active > 0) return { share: delivered }
  if (failed > 0) return 'failed'
  return done > 0 ? 'done' : null
}
