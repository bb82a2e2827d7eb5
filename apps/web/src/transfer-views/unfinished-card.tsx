import { formatBytes } from '@sallyport/contract/formats'
import { useState, useSyncExternalStore } from 'react'
import type { UnfinishedUpload, UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { unfinishedWords } from '#/words/unfinished.ts'
import { UnfinishedHead } from './unfinished-head.tsx'
import { UnfinishedRow } from './unfinished-row.tsx'

const firstShown = 4
const moreShown = 50

interface UnfinishedCardProps {
  readonly unfinished: UnfinishedUploads
}

/** What earlier visits left unfinished, to be gone on with or thrown away. */
export function UnfinishedCard({ unfinished }: UnfinishedCardProps) {
  const uploads = useSyncExternalStore(unfinished.subscribe, unfinished.current)
  const isForgetful = useSyncExternalStore(unfinished.isForgetful.subscribe, unfinished.isForgetful.current)
  return (
    <>
      {isForgetful ? <Banner tone="brass">{unfinishedWords.noRoom}</Banner> : null}
      {uploads.length > 0 ? (
        <Card aria-label={unfinishedWords.uploads} padded={false}>
          {uploads.length > 1 ? <UnfinishedHead unfinished={unfinished} uploads={uploads} /> : null}
          <Rows unfinished={unfinished} uploads={uploads} />
        </Card>
      ) : null}
    </>
  )
}

interface RowsProps extends UnfinishedCardProps {
  readonly uploads: readonly UnfinishedUpload[]
}

function Rows({ unfinished, uploads }: RowsProps) {
  const [most, setMost] = useState(firstShown)
  // A line that stands for a single row would be no shorter than that row.
  const shown = uploads.length > most + 1 ? uploads.slice(0, most) : uploads
  const hidden = uploads.slice(shown.length)
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((upload) => (
          <li key={upload.id} className="pad-card">
            <UnfinishedRow unfinished={unfinished} upload={upload} />
          </li>
        ))}
      </ul>
      {hidden.length > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-[var(--card-padding)] py-2.5 text-sm text-ink-2">
          <p>{unfinishedWords.more(hidden.length, formatBytes(hidden.reduce((sum, { size }) => sum + size, 0)))}</p>
          <Button
            variant="quiet"
            size="compact"
            className="-me-3 max-md:-ms-3"
            onClick={() => setMost(most + moreShown)}
          >
            {unfinishedWords.showMore}
          </Button>
        </div>
      ) : null}
    </>
  )
}
