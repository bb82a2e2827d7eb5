import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Card } from '#/components/ui/card.tsx'
import { shareStrings } from '#/strings/sharing.ts'
import { ShareUnavailable } from './share-error.tsx'
import { ShareComplete, ShareLoading, ShareProgress, ShareReady } from './share-transfer.tsx'
import type { ShareView } from './share-view.ts'

const ShareMissingKey = lazyPart(async () => (await import('./share-missing-key.tsx')).ShareMissingKey)

interface ShareActions {
  readonly onDownload: () => void
  readonly onCancel: () => void
  readonly onRetry: () => void
}

interface ShareCardProps extends ShareActions {
  readonly view: ShareView
  /** Epoch milliseconds. */
  readonly now: number
  /** The key was sent to the server accidentally, in the path of a link whose # had been percent-encoded. */
  readonly isKeyExposed: boolean
}

/** The card of the share link page, with one action for each state. */
export function ShareCard({ view, now, isKeyExposed, ...actions }: ShareCardProps) {
  return (
    <Card
      depth="float"
      aria-live="polite"
      className="mx-auto grid w-full max-w-share grid-cols-[minmax(0,1fr)] justify-items-center px-5! pt-9! pb-6! text-center md:px-8.5!"
    >
      {contentOf(view, now, actions)}
      {view.state === 'missing-key' || view.state === 'unavailable' ? null : <KeyNote isExposed={isKeyExposed} />}
    </Card>
  )
}

function contentOf(view: ShareView, now: number, actions: ShareActions): ReactNode {
  switch (view.state) {
    case 'loading':
      return <ShareLoading isServerAway={view.isServerAway} />
    case 'ready':
      return <ShareReady file={view.file} now={now} onDownload={actions.onDownload} />
    case 'downloading':
      return <ShareProgress view={view} onCancel={actions.onCancel} />
    case 'complete':
      return <ShareComplete file={view.file} repeat={view.repeat} onDownload={actions.onDownload} />
    case 'unavailable':
      return <ShareUnavailable cause={view.cause} hint={view.hint} canRetry={view.canRetry} onRetry={actions.onRetry} />
    case 'missing-key':
      return (
        <Suspense>
          <ShareMissingKey link={view.link} />
        </Suspense>
      )
  }
}

function KeyNote({ isExposed }: { readonly isExposed: boolean }) {
  return (
    <p className="mt-7 w-full border-t border-line pt-4 text-2xs text-balance text-ink-3">
      {isExposed ? shareStrings.keySent : shareStrings.keyNotSent}
    </p>
  )
}
