import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { fileWords } from '#/words/files.ts'
import { productName } from '#/words/product.ts'
import { ArchiveArea } from './archive-area.tsx'
import { DownloadArea } from './download-area.tsx'
import { filesQuery } from './files.queries.ts'
import { FilesRail } from './files-rail.tsx'
import { LostFilesLine } from './lost-files-line.tsx'
import { UploadArea } from './upload-area.tsx'
import { YourFiles } from './your-files.tsx'

interface FilesPageProps {
  /** Shown beside the list, under what else is there. */
  readonly aside?: ReactNode
  /** Takes a pasted text to the chat. */
  readonly onTextToChat?: (text: string) => void
}

export function FilesPage({ aside, onTextToChat }: FilesPageProps) {
  useTitle(`${fileWords.area} · ${productName}`)
  const { data, error, refetch } = useQuery(filesQuery(useCall()))
  const listed = useMemo(() => data?.filter(({ lost }) => !lost), [data])
  const lostCount = (data?.length ?? 0) - (listed?.length ?? 0)

  return (
    <div className="mx-auto grid max-w-page grid-cols-1 gap-7 px-4 py-5 md:px-6 md:py-7 rail:grid-cols-[minmax(0,1fr)_18.25rem]">
      <h1 className="sr-only">{fileWords.area}</h1>
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        {error ? (
          <Banner
            tone="rust"
            urgent
            actions={
              <Button size="compact" onClick={() => void refetch()}>
                {fileWords.retry}
              </Button>
            }
          >
            {speak(error, fileWords.listFailed)}
          </Banner>
        ) : null}
        <UploadArea onTextToChat={onTextToChat} />
        <DownloadArea />
        <ArchiveArea />
        {lostCount > 0 ? <LostFilesLine count={lostCount} /> : null}
        {listed || !error ? <YourFiles listed={listed} /> : null}
      </div>
      <FilesRail newestSealedName={listed?.[0]?.originalName ?? null}>{aside}</FilesRail>
    </div>
  )
}
