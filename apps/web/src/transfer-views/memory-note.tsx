import { largeDownloadBytes } from '@sallyport/contract/limits'
import { Banner } from '#/ui/banner.tsx'
import { archiveWords } from '#/words/archive.ts'

interface MemoryNoteProps {
  readonly states: readonly {
    readonly status: string
    readonly place?: 'disk' | 'memory'
    readonly totalBytes?: number
  }[]
}

/** Says so when much is on its way and the browser has no better place for it than memory. */
export function MemoryNote({ states }: MemoryNoteProps) {
  const isHeavy = states.some(({ place, totalBytes = 0 }) => place === 'memory' && totalBytes > largeDownloadBytes)
  return isHeavy ? <Banner tone="brass">{archiveWords.inMemory}</Banner> : null
}
