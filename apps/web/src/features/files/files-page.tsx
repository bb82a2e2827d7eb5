import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { TransferList } from '#/components/transfers/transfer-list.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { archiveStrings } from '#/strings/archive.ts'
import { controlStrings } from '#/strings/controls.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { productName } from '#/strings/product.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { filesQuery } from './files.queries.ts'
import { useFilesContext } from './files-context.ts'
import { FilesRail } from './files-rail.tsx'
import { LostFilesBanner } from './lost-files-banner.tsx'
import { UploadArea } from './transfers/upload-area.tsx'
import { YourFiles } from './your-files.tsx'

interface FilesPageProps {
  /** Shown next to the list, at the end of the side column. */
  readonly aside?: ReactNode
  /** Sends a pasted text to the chat. */
  readonly onTextToChat?: (text: string) => void
}

export function FilesPage({ aside, onTextToChat }: FilesPageProps) {
  useTitle(`${fileStrings.area} · ${productName}`)
  const { downloads, archives } = useFilesContext()
  const { data, error, refetch } = useQuery(filesQuery(useCall()))
  const listed = useMemo(() => data?.filter(({ lost }) => !lost), [data])
  const lostCount = (data?.length ?? 0) - (listed?.length ?? 0)

  return (
    <div className="mx-auto grid max-w-page grid-cols-1 gap-7 px-4 py-5 md:px-6 md:py-7 rail:grid-cols-[minmax(0,1fr)_18.25rem]">
      <h1 className="sr-only">{fileStrings.area}</h1>
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        {error ? (
          <Banner
            tone="rust"
            urgent
            actions={
              <Button size="compact" onClick={() => void refetch()}>
                {controlStrings.retry}
              </Button>
            }
          >
            {messageFor(error, fileStrings.listFailed)}
          </Banner>
        ) : null}
        <UploadArea onTextToChat={onTextToChat} />
        <TransferList list={downloads} label={transferStrings.downloads} subject="downloads" />
        <TransferList list={archives} label={archiveStrings.card} />
        {lostCount > 0 ? <LostFilesBanner count={lostCount} /> : null}
        {listed || !error ? <YourFiles listed={listed} /> : null}
      </div>
      <FilesRail newestEncryptedName={listed?.[0]?.originalName ?? null}>{aside}</FilesRail>
    </div>
  )
}
