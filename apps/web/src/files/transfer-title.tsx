import { formatPercent } from '@sallyport/contract/formats'
import { useSyncExternalStore } from 'react'
import { useTitle } from '#/ui/use-title.ts'
import { fileWords } from '#/words/files.ts'
import { productName } from '#/words/product.ts'
import { useFileWork } from './files-context.ts'
import { shareOfUploads } from './upload-transfers.ts'

/** Names the browser's tab after the uploads under way, for whoever has gone to another one. Draws nothing. */
export function TransferTitle() {
  const { uploads } = useFileWork()
  const share = shareOfUploads(useSyncExternalStore(uploads.subscribe, uploads.current))
  useTitle(share === null ? `${fileWords.area} · ${productName}` : `${formatPercent(share)} · ${productName}`)
  return null
}
