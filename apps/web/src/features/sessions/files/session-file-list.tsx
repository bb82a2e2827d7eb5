import type { SessionFile } from '@sallyport/contract/session-shapes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { Seal } from '#/components/brand/seal.tsx'
import { DeleteDialog } from '#/components/files/delete-dialog.tsx'
import { LoadingRows } from '#/components/files/loading-rows.tsx'
import { ManualCopyDialog } from '#/components/files/manual-copy-dialog.tsx'
import { HiddenRows, useRowWindow } from '#/components/files/row-window.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { useCommand } from '#/components/ui/hooks/use-command.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useOptimisticRemove } from '#/lib/api/use-optimistic-remove.ts'
import { useNow } from '#/lib/use-now.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { UnlockedSession } from '../room/current-session.ts'
import { filesKey } from '../session.queries.ts'
import { sessionErrorMessage } from '../session-error-messages.ts'
import { useCurrentSession } from '../sessions-context.ts'
import { SessionFileRow } from './session-file-row.tsx'

interface SessionFileListProps {
  readonly unlocked: UnlockedSession
  /** Undefined while the list is loading. */
  readonly files: readonly SessionFile[] | undefined
  /** The file that the link which opened the page points to. */
  readonly linkedFileId: string | null
}

const loadingName = '…'

const toEncryptedName = ({ id, original_name, encrypted_file_key }: SessionFile) => ({
  id,
  originalName: original_name,
  encryptedFileKey: encrypted_file_key,
})

/** The files of a session with the actions for each: the linked one, then the others, newest first. */
export function SessionFileList({ unlocked, files, linkedFileId }: SessionFileListProps) {
  const { fileNames, download, linkToFile } = unlocked
  useSyncExternalStore(fileNames.subscribe, fileNames.version)
  const now = useNow(1000)
  const titleId = useId()
  const [fileToDelete, setFileToDelete] = useState<string | null>(null)
  const [linkToCopy, setLinkToCopy] = useState<string | null>(null)
  const toast = useToast()
  const queries = useQueryClient()
  const queryKey = filesKey(useCurrentSession().id)
  const { mutate: remove } = useOptimisticRemove({
    queryKey,
    remove: unlocked.deleteFile,
    onError: (error) =>
      toast({ text: sessionErrorMessage(error, sessionStrings.deleteFailed), tone: 'rust', urgent: true }),
    refresh: () => queries.invalidateQueries({ queryKey }),
  })
  const { mutate: startDownload } = useCommand(
    ({ file, name }: { readonly file: SessionFile; readonly name: string }) => download(file, name),
    (error) => sessionErrorMessage(error, sessionStrings.downloadFailed),
  )
  const live = files?.filter(({ expires_at }) => expires_at === null || expires_at > now)
  const { shown, hiddenCount, showMore, showAll } = useRowWindow(linkedFirst(live ?? [], linkedFileId))

  useEffect(() => {
    fileNames.decrypt((files ?? []).map(toEncryptedName))
  }, [fileNames, files])

  const nameOf = (file: SessionFile) => fileNames.nameOf(toEncryptedName(file)) ?? loadingName
  const targetFile = files?.find(({ id }) => id === fileToDelete)

  async function copyLink(fileId: string): Promise<boolean> {
    const link = linkToFile(fileId)
    const isCopied = await copyText(Promise.resolve(link))
    if (!isCopied) setLinkToCopy(link)
    return isCopied
  }

  function confirmDelete() {
    if (fileToDelete !== null) remove(fileToDelete)
    setFileToDelete(null)
  }

  return (
    <>
      <Card aria-labelledby={titleId} padded={false} className="overflow-clip">
        <CardHeading
          id={titleId}
          title={sessionStrings.filesTitle}
          count={live?.length || undefined}
          className="min-h-14 px-[var(--card-padding)] py-3"
        />
        {live === undefined ? <LoadingRows label={sessionStrings.filesLoading} /> : null}
        {live?.length === 0 ? (
          <div className="-mt-4 pb-3">
            <EmptyState
              illustration={<Seal state="idle" />}
              title={sessionStrings.noFiles}
              hint={sessionStrings.noFilesHint}
            />
          </div>
        ) : null}
        {live && live.length > 0 ? (
          <ul className="divide-y divide-line border-t border-line">
            {shown.map((file) => {
              const name = nameOf(file)
              return (
                <SessionFileRow
                  key={file.id}
                  file={{ name, sizeBytes: file.size_bytes, expiresAt: file.expires_at }}
                  now={now}
                  isLinked={file.id === linkedFileId}
                  onDownload={() => startDownload({ file, name })}
                  onCopyLink={() => copyLink(file.id)}
                  onDelete={() => setFileToDelete(file.id)}
                />
              )
            })}
          </ul>
        ) : null}
        {hiddenCount > 0 ? <HiddenRows count={hiddenCount} onShowMore={showMore} onShowAll={showAll} /> : null}
      </Card>
      <DeleteDialog
        target={targetFile ? { name: nameOf(targetFile) } : null}
        onConfirm={confirmDelete}
        onCancel={() => setFileToDelete(null)}
      />
      <ManualCopyDialog link={linkToCopy} onClose={() => setLinkToCopy(null)} />
    </>
  )
}

/** The file that the user came for is first: in a long list the rest is rendered on demand. */
function linkedFirst(files: readonly SessionFile[], linkedFileId: string | null): readonly SessionFile[] {
  const linked = files.find(({ id }) => id === linkedFileId)
  return linked ? [linked, ...files.filter((file) => file !== linked)] : files
}
