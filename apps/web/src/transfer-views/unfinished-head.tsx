import { formatBytes } from '@sallyport/contract/formats'
import { foldersOf } from '@sallyport/crypto'
import { useState } from 'react'
import type { UnfinishedUpload, UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { Button } from '#/ui/button.tsx'
import { canPickFolders, pickFiles, pickFolder } from '#/ui/pick-files.ts'
import { unfinishedWords } from '#/words/unfinished.ts'

interface UnfinishedHeadProps {
  readonly unfinished: UnfinishedUploads
  readonly uploads: readonly UnfinishedUpload[]
}

/** What can be done with several of them at once. */
export function UnfinishedHead({ unfinished, uploads }: UnfinishedHeadProps) {
  const [isNoneFitting, setNoneFitting] = useState(false)
  const atHand = uploads.filter(({ source, trouble }) => source === 'at-hand' && trouble === null)
  const toChoose = uploads.filter(({ source, trouble }) => source === 'chosen' || trouble !== null)
  const ofFolders = toChoose.filter(({ name }) => foldersOf(name) !== '')
  const size = formatBytes(uploads.reduce((sum, upload) => sum + upload.size, 0))

  async function choose(pick: () => Promise<readonly File[]>) {
    const files = await pick()
    if (files.length > 0) setNoneFitting((await unfinished.goOnWith(files)) === 0)
  }

  return (
    <div className="grid gap-2 border-b border-line px-[var(--card-padding)] py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold">{unfinishedWords.count(uploads.length, size)}</p>
        <div className="flex flex-wrap gap-2">
          {atHand.length > 0 ? (
            <Button size="compact" onClick={() => void unfinished.goOn(atHand.map(({ id }) => id))}>
              {unfinishedWords.goOnWithAll}
            </Button>
          ) : null}
          {toChoose.length > 0 ? (
            <Button size="compact" onClick={() => void choose(() => pickFiles({ multiple: true }))}>
              {unfinishedWords.chooseFiles}
            </Button>
          ) : null}
          {ofFolders.length > 0 && canPickFolders() ? (
            <Button size="compact" onClick={() => void choose(pickFolder)}>
              {unfinishedWords.chooseFolder}
            </Button>
          ) : null}
          <Button variant="quiet" size="compact" onClick={() => void unfinished.discard(uploads.map(({ id }) => id))}>
            {unfinishedWords.discardAll}
          </Button>
        </div>
      </div>
      {isNoneFitting ? (
        <p role="alert" className="text-sm text-rust">
          {unfinishedWords.noneFits}
        </p>
      ) : null}
    </div>
  )
}
