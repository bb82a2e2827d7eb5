import { largeDownloadBytes } from '@sallyport/contract/limits'
import { Banner } from '#/components/ui/banner.tsx'
import { archiveStrings } from '#/strings/archive.ts'

interface MemoryWarningProps {
  readonly states: readonly {
    readonly status: string
    readonly storage?: 'disk' | 'memory'
    readonly totalBytes?: number
  }[]
}

/** Warns when a large transfer is held in memory because the browser offers no other storage. */
export function MemoryWarning({ states }: MemoryWarningProps) {
  const isLarge = states.some(({ storage, totalBytes = 0 }) => storage === 'memory' && totalBytes > largeDownloadBytes)
  return isLarge ? <Banner tone="brass">{archiveStrings.inMemory}</Banner> : null
}
