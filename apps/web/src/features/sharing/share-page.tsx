import { fetchTimed } from '@sallyport/browser/server-clock'
import { type Connection, createCaller } from '@sallyport/client/call'
import { createConnectivity } from '@sallyport/client/create-connectivity'
import { formatPercent } from '@sallyport/contract/formats'
import { createDownloads } from '@sallyport/transfers/browser/downloads/downloads'
import { useEffect, useState } from 'react'
import { Link, type LoaderFunctionArgs, replace, useLocation } from 'react-router'
import { Brand } from '#/components/brand/logo.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { shareDelivered } from '#/components/transfers/transfer-progress.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { watchNetwork } from '#/lib/api/watch-network.ts'
import { useNow } from '#/lib/use-now.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { productName } from '#/strings/product.ts'
import { ShareCard } from './share-card.tsx'
import type { ShareView } from './share-view.ts'
import { openSharedDownload } from './shared-download.ts'

const encodedHash = /%(25)*23/i
const refreshIntervalMs = 30_000

/** Calls without an account that wait for a server that is away. */
function createAnonymousConnection(): Connection {
  const base: Connection = { baseUrl: '', fetch: fetchTimed, getAccessToken: async () => null }
  const connectivity = createConnectivity({ call: createCaller(base) })
  watchNetwork(connectivity)
  return { ...base, connectivity }
}

/** Target page of share links. The key stays in the URL fragment, so that the page can be reloaded. */
export function SharePage() {
  const { pathname, hash } = useLocation()
  return <SharedFilePage key={pathname + hash} />
}

function SharedFilePage() {
  const [shared] = useState(() => {
    const connection = createAnonymousConnection()
    return openSharedDownload({ link: location.href, connection, downloads: createDownloads(connection) })
  })
  const view = useObservable(shared.view)
  const now = useNow(refreshIntervalMs)
  const expiresAt = view.state === 'ready' ? view.file.expiresAt : null
  // Only the server knows: answers have whole seconds.
  const seemsOver = expiresAt !== null && now > expiresAt + 1000
  useTitle(titleOf(view))

  useEffect(() => shared.watch(), [shared])
  useEffect(() => {
    if (seemsOver) void shared.recheck()
  }, [shared, seemsOver])

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
          isKeyExposed={wasKeySent()}
          onDownload={shared.download}
          onCancel={shared.cancel}
          onRetry={shared.retry}
        />
      </main>
    </>
  )
}

/**
 * Repairs links in which email and chat apps have encoded # as %23, so that the key is not in the request when the page
 * is reloaded.
 */
export function repairShareLink({ request }: LoaderFunctionArgs): Response | null {
  const { pathname } = new URL(request.url)
  const repaired = pathname.replace(encodedHash, '#')
  return repaired === pathname ? null : replace(repaired)
}

/** True if the page was requested with the key in the path, before the URL was repaired. */
function wasKeySent(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation !== undefined && encodedHash.test(new URL(navigation.name).pathname)
}

function titleOf(view: ShareView): string {
  if (view.state === 'downloading') {
    return `${formatPercent(shareDelivered(view.job))} · ${productName}`
  }
  return 'file' in view ? `${visibleFileName(view.file.name)} · ${productName}` : productName
}
