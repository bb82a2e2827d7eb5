import { formatPercent } from '@sallyport/contract/formats'
import { useTabIcon } from '#/ui/use-tab-icon.ts'
import { useTitleNews } from '#/ui/use-title-news.ts'
import { productName } from '#/words/product.ts'
import { drawTabSign, type TabSign } from './tab-icon.ts'
import type { Transfer } from './transfer-state.ts'
import { sumTransfers, type TransferSum } from './transfer-sum.ts'

/** Tells on the browser's tab how transfers go, whatever screen is shown. */
export function useTransferSigns(transfers: readonly Transfer[]): void {
  const sum = sumTransfers(transfers)
  const sign = signOf(sum)
  useTitleNews(sum.underWay > 0 ? `${formatPercent(sum.delivered)} · ${productName}` : null)
  useTabIcon(sign === null ? null : drawTabSign(sign))
}

function signOf({ underWay, failed, done, delivered }: TransferSum): TabSign | null {
  if (underWay > 0) return { share: delivered }
  if (failed > 0) return 'failed'
  return done > 0 ? 'done' : null
}
