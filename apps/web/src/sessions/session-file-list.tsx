import type { SessionFile } from '@sallyport/contract/session-shapes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { DeleteDialog } from '#/file-views/delete-dialog.tsx'
import { LoadingRows } from '#/file-views/loading-rows.tsx'
import { ManualCopyDialog } from '#/file-views/manual-copy-dialog.tsx'
import { Seal } from '#/motifs/seal.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useNow } from '#/ui/use-now.ts'
import { sessionWords } from '#/words/sessions.ts'
import type { OpenRoom } from './room.ts'
import { filesKey } from './session.queries.ts'
import { SessionFileRow } from './session-file-row.tsx'
import { useRoom } from './sessions-context.ts'

interface SessionFileListProps {
  readonly opened: OpenRoom
  /** Undefined while the list is on its way. */
  readonly files: readonly SessionFile[] | undefined
}

const openingName = '…'

const sealedOf = ({ id, original_name, encrypted_file_key }: SessionFile) => ({
  id,
  originalName: original_name,
  encryptedFileKey: encrypted_file_key,
})

/** The files of a session, newest first, and what anybody in it can do with each. */
export function SessionFileList({ opened, files }: SessionFileListProps) {
  const { fileNames, download, linkToFile } = opened
  useSyncExternalStore(fileNames.subscribe, fileNames.current)
  const now = useNow(1000)
  const titleId = useId()
  const [asked, setAsked] = useState<string | null>(null)
  const [linkToCopy, setLinkToCopy] = useState<string | null>(null)
  const remove = useDeleteFile(opened)
  const toast = useToast()
  const live = files?.filter(({ expires_at }) => expires_at === null || expires_at > now)

  useEffect(() => {
    fileNames.open((files ?? []).map(sealedOf))
  }, [fileNames, files])

  const nameOf = (file: SessionFile) => fileNames.nameOf(sealedOf(file)) ?? openingName
  const askedFile = files?.find(({ id }) => id === asked)

  async function startDownload(file: SessionFile, name: string): Promise<void> {
    try {
      await download(file, name)
    } catch (error) {
      toast({ text: speak(error, sessionWords.downloadFailed), tone: 'rust', urgent: true })
    }
  }

  async function copyLink(fileId: string): Promise<boolean> {
    const link = linkToFile(fileId)
    const isCopied = await copyText(Promise.resolve(link))
    if (!isCopied) setLinkToCopy(link)
    return isCopied
  }

  function confirmDelete() {
    if (asked !== null) remove(asked)
    setAsked(null)
  }

  return (
    <>
      <Card aria-labelledby={titleId} padded={false} className="overflow-clip">
        <CardHeading
          id={titleId}
          title={sessionWords.filesTitle}
          count={live?.length || undefined}
          className="min-h-14 px-[var(--card-padding)] py-3"
        />
        {live === undefined ? <LoadingRows label={sessionWords.filesLoading} /> : null}
        {live?.length === 0 ? (
          <div className="-mt-4 pb-3">
            <EmptyState picture={<Seal state="idle" />} title={sessionWords.noFiles} hint={sessionWords.noFilesHint} />
          </div>
        ) : null}
        {live && live.length > 0 ? (
          <ul className="divide-y divide-line border-t border-line">
            {live.map((file) => {
              const name = nameOf(file)
              return (
                <SessionFileRow
                  key={file.id}
                  file={{ name, sizeBytes: file.size_bytes, expiresAt: file.expires_at }}
                  now={now}
                  onDownload={() => void startDownload(file, name)}
                  onCopyLink={() => copyLink(file.id)}
                  onDelete={() => setAsked(file.id)}
                />
              )
            })}
          </ul>
        ) : null}
      </Card>
      <DeleteDialog
        target={askedFile ? { name: nameOf(askedFile) } : null}
        onConfirm={confirmDelete}
        onCancel={() => setAsked(null)}
      />
      <ManualCopyDialog link={linkToCopy} onClose={() => setLinkToCopy(null)} />
    </>
  )
}

/** Deletes at once on the screen, and brings back what the server would not delete. */
function useDeleteFile({ deleteFile }: OpenRoom): (fileId: string) => void {
  const { id } = useRoom()
  const queries = useQueryClient()
  const toast = useToast()
  const queryKey = filesKey(id)

  return useMutation({
    mutationFn: deleteFile,
    async onMutate(fileId: string) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<readonly SessionFile[]>(queryKey)
      queries.setQueryData<readonly SessionFile[]>(queryKey, (listed) => listed?.filter((file) => file.id !== fileId))
      return { before }
    },
    onError(error, _fileId, context) {
      if (context?.before) queries.setQueryData(queryKey, context.before)
      toast({ text: speak(error, sessionWords.deleteFailed), tone: 'rust', urgent: true })
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  }).mutate
}
