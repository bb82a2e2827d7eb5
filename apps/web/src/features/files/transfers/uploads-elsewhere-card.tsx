import { formatBytes, formatPercent } from '@sallyport/contract/formats'
import { lastPartOf } from '@sallyport/crypto'
import type { UploadElsewhere } from '@sallyport/transfers/browser/uploads/uploads-elsewhere'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { interruptedUploadStrings } from '#/strings/interrupted-uploads.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { useFilesContext } from '../files-context.ts'

const queryKey = ['uploads-elsewhere']
/** While such uploads are shown: they may progress or finish on their device. */
const refetchEveryMs = 10_000

interface UploadsElsewhereCardProps {
  /** How many uploads the server has rejected because too many are open; the list is fetched again when it changes. */
  readonly rejectedCount: number
}

/** Unfinished uploads of other devices, which can be discarded here. */
export function UploadsElsewhereCard({ rejectedCount }: UploadsElsewhereCardProps) {
  const { uploadsElsewhere } = useFilesContext()
  const { data: uploads = [] } = useQuery({
    queryKey: [...queryKey, rejectedCount],
    queryFn: uploadsElsewhere.list,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? refetchEveryMs : false),
  })
  if (uploads.length === 0) return null
  return (
    <Card aria-label={interruptedUploadStrings.elsewhere} padded={false}>
      <CardHeading
        title={interruptedUploadStrings.elsewhere}
        count={uploads.length}
        className="border-b border-line px-[var(--card-padding)] py-3"
      >
        {uploads.length > 1 ? <DiscardButton uploads={uploads} /> : null}
      </CardHeading>
      <ul className="divide-y divide-line">
        {uploads.map((upload) => (
          <li key={upload.id} className="pad-card">
            <Row upload={upload} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Row({ upload }: { readonly upload: UploadElsewhere }) {
  const { size, receivedBytes } = upload
  const name = nameOf(upload)
  const share = receivedBytes / Math.max(1, size)
  const received = interruptedUploadStrings.received(formatPercent(share), formatBytes(size))
  return (
    <TransferRow
      fileName={name}
      seal="sending"
      badge={{ text: transferStrings.states.unfinished, tone: 'brass' }}
      label={transferStrings.uploadOf(visibleFileName(name))}
      valueText={received}
      encrypted={share}
      delivered={share}
      note={received}
      actions={<DiscardButton uploads={[upload]} />}
    />
  )
}

function DiscardButton({ uploads }: { readonly uploads: readonly UploadElsewhere[] }) {
  const { uploadsElsewhere } = useFilesContext()
  const queries = useQueryClient()
  const toast = useToast()
  const discard = useMutation({
    mutationFn: () => uploadsElsewhere.discard(uploads.map(({ id }) => id)),
    onError: (error) =>
      toast({ text: messageFor(error, interruptedUploadStrings.discardFailed), tone: 'rust', urgent: true }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  const [only, ...others] = uploads
  return (
    <Button variant="quiet" size="compact" busy={discard.isPending} onClick={() => discard.mutate()}>
      {only && others.length === 0 ? (
        <>
          {interruptedUploadStrings.discard}
          <span className="sr-only"> {visibleFileName(nameOf(only))}</span>
        </>
      ) : (
        interruptedUploadStrings.discardAll
      )}
    </Button>
  )
}

const nameOf = ({ name }: UploadElsewhere): string => (name === null ? fileStrings.unreadableName : lastPartOf(name))
