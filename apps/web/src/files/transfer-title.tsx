import { formatPercent } from '@sallyport/contract/formats'
import { useSyncExternalStore } from 'react'
import { shareOfUploads } from '#/transfer-views/upload-transfers.ts'
import { useTitle } from '#/ui/use-title.ts'
import { fileWords } from '#/words/files.ts'
import { productName } from '#/words/product.ts'
import { useFileWork } from './files-context.ts'

/** Names the browser's tab after the uploads under way, for whoever has gone to another one. Draws nothing. */
export function TransferTitle() {
  const { uploads } = useFileWork()
  const share = shareOfUploads(useSyncExternalStore(uploads.subscribe, uploads.current))
  useTitle(share === null ? `${fileWords.area} · ${productName}` : `${formatPercent(share)} · ${productName}`)
  return null
}
