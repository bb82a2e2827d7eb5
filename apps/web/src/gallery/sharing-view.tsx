import { ShareCard } from '#/features/sharing/share-card.tsx'
import type { ShareView as View } from '#/features/sharing/share-view.ts'
import { shareStrings } from '#/strings/sharing.ts'

const now = Date.now()
const mebibyte = 1024 * 1024
const file = { name: 'site-photos-harbour.zip', sizeBytes: 691.77 * mebibyte, expiresAt: now + 38 * 60_000 + 30_000 }

const states: Record<string, View> = {
  loading: { state: 'loading', isServerAway: false },
  ready: { state: 'ready', file },
  downloading: {
    state: 'downloading',
    file,
    job: {
      id: '1',
      kind: 'download',
      fileName: file.name,
      sizeBytes: file.sizeBytes,
      state: { status: 'transferring', deliveredBytes: 401.2 * mebibyte, bytesPerSecond: 14.1 * mebibyte },
    },
  },
  complete: { state: 'complete', file, repeat: 'possible' },
  'used-up': { state: 'complete', file, repeat: 'used-up' },
  expired: {
    state: 'unavailable',
    cause: 'File not found or expired',
    hint: shareStrings.mayHaveExpired,
    canRetry: false,
  },
  network: {
    state: 'unavailable',
    cause: 'Download failed due to network error',
    hint: shareStrings.mayHaveExpired,
    canRetry: true,
  },
  missing: { state: 'missing-key', link: 'https://files.harborlight.studio/s/q3Zt8Vw0aKcM' },
}

export function ShareView() {
  const selected = new URLSearchParams(location.search).get('state')
  const ignore = () => undefined
  const shown = selected ? [selected] : Object.keys(states)
  return (
    <main className={selected ? 'px-4 pt-6 md:pt-20' : 'grid items-start gap-6 p-6 md:grid-cols-2 rail:grid-cols-3'}>
      {shown.map((name) => {
        const view = states[name]
        return view ? (
          <ShareCard
            key={name}
            view={view}
            now={now}
            isKeyExposed={false}
            onDownload={ignore}
            onCancel={ignore}
            onRetry={ignore}
          />
        ) : null
      })}
    </main>
  )
}
