import { formatPercent } from '@sallyport/contract/formats'
import { drawTabSign, type TabSign } from '#/transfer-views/tab-icon.ts'
import { sumTransfers, type TransferSum } from '#/transfer-views/transfer-sum.ts'
import { useTabIcon } from '#/ui/use-tab-icon.ts'
import { useTitleNews } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { TransferNewsLine } from './transfer-news-line.tsx'
import { useTransfers } from './use-transfers.ts'

/** Tells on the browser's tab, and in one spoken line, how transfers go, whatever screen is shown. */
export function TransferSignals() {
  const sum = sumTransfers(useTransfers().all)
  const sign = signOf(sum)
  useTitleNews(sum.underWay > 0 ? `${formatPercent(sum.delivered)} · ${productName}` : null)
  useTabIcon(sign === null ? null : drawTabSign(sign))
  return <TransferNewsLine />
}

function signOf({ underWay, failed, done, delivered }: TransferSum): TabSign | null {
  if (underWay > 0) return { share: delivered }
  if (failed > 0) return 'failed'
  return done > 0 ? 'done' : null
}
