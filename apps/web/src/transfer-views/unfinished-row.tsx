import { formatBytes, formatPercent } from '@sallyport/contract/formats'
import { lastPartOf } from '@sallyport/crypto'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import type { UnfinishedUpload, UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { Button } from '#/ui/button.tsx'
import { pickFiles } from '#/ui/pick-files.ts'
import { unfinishedWords } from '#/words/unfinished.ts'

interface UnfinishedRowProps {
  readonly unfinished: UnfinishedUploads
  readonly upload: UnfinishedUpload
}

/** One upload of an earlier visit. */
export function UnfinishedRow({ unfinished, upload }: UnfinishedRowProps) {
  const { size, storedBytes } = upload
  const name = lastPartOf(upload.name)
  const isBegun = storedBytes > 0
  const share = isBegun ? storedBytes / size : 0
  return (
    <TransferRow
      fileName={name}
      seal={isBegun ? 'sending' : 'idle'}
      badge={isBegun ? { text: 'Paused', tone: 'brass' } : { text: 'Waiting', tone: 'neutral' }}
      label={`Upload of ${name}`}
      valueText={isBegun ? `${Math.floor(share * 100)} percent, paused` : 'Not begun'}
      encrypted={share}
      delivered={share}
      note={<Note upload={upload} />}
      actions={<Actions unfinished={unfinished} upload={upload} />}
    />
  )
}

function Note({ upload }: Pick<UnfinishedRowProps, 'upload'>) {
  const { trouble, source } = upload
  if (trouble !== null) {
    return (
      <span role="alert" className="text-rust wrap-anywhere">
        {unfinishedWords.troubles[trouble]}
      </span>
    )
  }
  const tone = source === 'at-hand' && upload.storedBytes === 0 ? 'text-ink-2' : 'text-brass-ink'
  return <span className={`${tone} wrap-anywhere`}>{noteOf(upload)}</span>
}

function noteOf({ source, size, storedBytes, name }: UnfinishedUpload): string {
  if (source === 'pasted') return unfinishedWords.pasteAgain
  const percent = formatPercent(storedBytes / Math.max(1, size))
  if (source === 'at-hand') {
    return storedBytes > 0 ? unfinishedWords.stoppedAt(percent) : unfinishedWords.notSent(formatBytes(size))
  }
  const fileName = lastPartOf(name)
  return storedBytes > 0 ? unfinishedWords.chooseAgain(fileName, percent) : unfinishedWords.chooseToSend(fileName)
}

function Actions({ unfinished, upload }: UnfinishedRowProps) {
  const { id, source, trouble } = upload
  const subject = <span className="sr-only"> {lastPartOf(upload.name)}</span>

  /** Others that wait may be chosen along with it. */
  async function choose() {
    const files = await pickFiles({ multiple: true })
    const [first] = files
    if (!first) return
    if (files.length === 1 || (await unfinished.goOnWith(files)) === 0) await unfinished.goOnWithOne(id, first)
  }

  return (
    <>
      {source === 'at-hand' && trouble === null ? (
        <Button onClick={() => void unfinished.goOn([id])}>
          {unfinishedWords.goOn}
          {subject}
        </Button>
      ) : source === 'pasted' ? null : (
        <Button onClick={() => void choose()}>
          {unfinishedWords.chooseFile}
          {subject}
        </Button>
      )}
      <Button variant="quiet" onClick={() => void unfinished.discard([id])}>
        {unfinishedWords.discard}
        {subject}
      </Button>
    </>
  )
}
