import { useSyncExternalStore } from 'react'
import { useFileWork } from './files-context.ts'

/** One spoken line about transfers; progress bars themselves are not read out as they move. */
export function TransferNewsLine() {
  const { news } = useFileWork()
  const text = useSyncExternalStore(news.subscribe, news.current)
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
