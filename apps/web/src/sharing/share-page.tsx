import { formatPercent } from '@sallyport/contract/formats'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link, type LoaderFunctionArgs, replace, useLocation } from 'react-router'
import { Brand } from '#/motifs/mark.tsx'
import { createDownloads } from '#/transfers/downloads.ts'
import { useNow } from '#/ui/use-now.ts'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { ShareCard } from './share-card.tsx'
import type { ShareView } from './share-view.ts'
import { openSharedDownload } from './shared-download.ts'

const mangledHash = /%(25)*23/i
const clockStepMs = 30_000
const connection = {
  baseUrl: '',
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  accessToken: async () => null,
}

/** Where a share link leads. The key stays in the address, so that the page can be loaded again. */
export function SharePage() {
  const { pathname, hash } = useLocation()
  return <SharedFilePage key={pathname + hash} />
}

function SharedFilePage() {
  const [shared] = useState(() =>
    openSharedDownload({ link: location.href, connection, downloads: createDownloads(connection) }),
  )
  const view = useSyncExternalStore(shared.view.subscribe, shared.view.current)
  const now = useNow(clockStepMs)
  useTitle(titleOf(view))

  useEffect(() => shared.watch(), [shared])

  return (
    <>
      <header className="flex h-16 items-center px-5 md:px-10">
        <Link to="/" className="inline-flex rounded-segment">
          <Brand />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="px-4 pt-4 pb-16 outline-none md:pt-21.5">
        <ShareCard
          view={view}
          now={now}
          keyTravelled={wasKeySent()}
          onDownload={shared.download}
          onCancel={shared.cancel}
          onRetry={shared.retry}
        />
      </main>
    </>
  )
}

/**
 * Mail and chat programs turn the # of a link into %23. Put right in the address, the key stays out of the request when
 * the page is loaded again.
 */
export function mendShareLink({ request }: LoaderFunctionArgs): Response | null {
  const { pathname } = new URL(request.url)
  const mended = pathname.replace(mangledHash, '#')
  return mended === pathname ? null : replace(mended)
}

/** True when the page was asked for with the key in the path, before the address was put right. */
function wasKeySent(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation !== undefined && mangledHash.test(new URL(navigation.name).pathname)
}

function titleOf(view: ShareView): string {
  if (view.state === 'downloading') {
    const { file, deliveredBytes } = view
    return `${formatPercent(file.sizeBytes === 0 ? 0 : deliveredBytes / file.sizeBytes)} · ${productName}`
  }
  return 'file' in view ? `${view.file.name} · ${productName}` : productName
}
