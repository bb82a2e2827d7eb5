import { ignore } from '@sallyport/contract/ignore'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { removeMalformedPin } from './app/malformed-pin.ts'
import { reloadOnNewBuild } from './app/reload-on-new-build.ts'
import { createRouter } from './app/routes.tsx'
import './styles/styles.css'
import { loadCode } from '@sallyport/browser/load-code'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const UnsupportedScreen = lazy(async () => {
  const { UnsupportedScreen: Screen } = await loadCode(() => import('./app/layout/unsupported-screen.tsx'))
  return { default: Screen }
})

/** Only the page of a shared file works without storage. Reading the property throws where the browser denies it. */
function canRun(): boolean {
  try {
    return isSecureContext && (location.pathname.startsWith('/s/') || localStorage !== null)
  } catch {
    return false
  }
}

/** Few browsers have anything to remove, so that the code for it is loaded only in those. */
async function removeLeftovers(): Promise<void> {
  const found = await Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys()])
  if (found.flat().length === 0) return
  const { removeOldServiceWorkers } = await import('@sallyport/transfers/browser/service-worker-cleanup')
  await removeOldServiceWorkers()
}

removeMalformedPin()
reloadOnNewBuild()
void removeLeftovers().catch((error) => ignore(error, 'a browser without service workers has nothing to remove'))

const render = () =>
  createRoot(root).render(
    <StrictMode>
      {canRun() ? (
        <RouterProvider router={createRouter()} />
      ) : (
        <Suspense>
          <UnsupportedScreen />
        </Suspense>
      )}
    </StrictMode>,
  )

// No page offers this yet; developers and tests store a locale to try a translation.
const { locale } = document.documentElement.dataset
if (locale === undefined) render()
else
  void import('./lib/load-translation.ts')
    .then(({ loadTranslation }) => loadTranslation(locale))
    .catch((error: unknown) => reportError(error))
    .finally(render)
