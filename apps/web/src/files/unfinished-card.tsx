import { formatPercent } from '@sallyport/contract/formats'
import { lastPartOf } from '@sallyport/crypto'
import { useSyncExternalStore } from 'react'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import type { UnfinishedUpload } from '#/transfers/unfinished-uploads.ts'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { pickFiles } from '#/ui/pick-files.ts'
import { fileWords } from '#/words/files.ts'
import { useFileWork } from './files-context.ts'

/** What earlier visits left unfinished, to be gone on with or thrown away. */
export function UnfinishedCard() {
  const { unfinished } = useFileWork()
  const uploads = useSyncExternalStore(unfinished.subscribe, unfinished.current)
  if (uploads.length === 0) return null
  return (
    <Card aria-label={fileWords.unfinished} padded={false}>
      <ul className="divide-y divide-line">
        {uploads.map((upload) => (
          <li key={upload.id} className="pad-card">
            <UnfinishedRow upload={upload} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function UnfinishedRow({ upload }: { readonly upload: UnfinishedUpload }) {
  const { size, storedBytes } = upload
  const name = lastPartOf(upload.name)
  const share = storedBytes / size
  const percent = formatPercent(share)
  return (
    <TransferRow
      fileName={name}
      seal="sending"
      badge={{ text: 'Paused', tone: 'brass' }}
      label={`Upload of ${name}`}
      valueText={`${Math.floor(share * 100)} percent, paused`}
      encrypted={share}
      delivered={share}
      note={<Note upload={upload} percent={percent} />}
      actions={<UnfinishedActions upload={upload} />}
    />
  )
}

function Note({ upload, percent }: { readonly upload: UnfinishedUpload; readonly percent: string }) {
  const { isAtHand, trouble } = upload
  const name = lastPartOf(upload.name)
  if (trouble) {
    return (
      <span role="alert" className="text-rust wrap-anywhere">
        {fileWords.resumeTroubles[trouble]}
      </span>
    )
  }
  return (
    <span className="text-brass-ink wrap-anywhere">
      {isAtHand ? fileWords.stoppedAt(percent) : fileWords.chooseAgain(name, percent)}
    </span>
  )
}

function UnfinishedActions({ upload }: { readonly upload: UnfinishedUpload }) {
  const { unfinished } = useFileWork()
  const { id, isAtHand, trouble } = upload
  const name = lastPartOf(upload.name)
  const subject = <span className="sr-only"> {name}</span>

  async function choose() {
    const [file] = await pickFiles({ multiple: false })
    if (file) await unfinished.goOnWith(id, file)
  }

  return (
    <>
      {isAtHand && trouble === null ? (
        <Button onClick={() => void unfinished.goOn(id)}>
          {fileWords.goOn}
          {subject}
        </Button>
      ) : (
        <Button onClick={() => void choose()}>
          {fileWords.chooseFile}
          {subject}
        </Button>
      )}
      <Button variant="quiet" onClick={() => void unfinished.discard(id)}>
        {fileWords.discard}
        {subject}
      </Button>
    </>
  )
}
