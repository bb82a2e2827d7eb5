import { CodeMissingError } from '@sallyport/browser/load-code'
import { Suspense } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Button, buttonClass } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { crashStrings } from '#/strings/crash.ts'
import { productName } from '#/strings/product.ts'
import { redactSecrets } from '../redact-secrets.ts'

const Illustration = lazyPart(async () => (await import('#/components/brand/gate-illustrations.tsx')).BrokenGate, {
  notice: 'none',
})
const ErrorDetails = lazyPart(async () => (await import('../error-details.tsx')).ErrorDetails, { notice: 'none' })

/** The error of the router for an unknown URL. */
const notFound = { status: 404, statusText: 'Not Found', data: null, internal: true }

interface RouteErrorScreenProps {
  /** This URL has a route, but no page on this server. */
  readonly isNotFound?: boolean
}

/** Shown by the router when a page cannot be opened: an unknown URL or a crash. */
export function RouteErrorScreen({ isNotFound = false }: RouteErrorScreenProps) {
  const routeError = useRouteError()
  const error = isNotFound ? notFound : routeError
  const isMissing = error instanceof CodeMissingError
  const { summary, stack } = describeError(isMissing ? error.cause : error)
  useTitle(`${summary} · ${productName}`)

  return (
    <>
      <header className="flex h-16 items-center px-5 md:px-10">
        <Link to="/" reloadDocument className="rounded-segment heading text-lg">
          {productName}
        </Link>
      </header>
      <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-12 text-center">
        <Suspense fallback={<div className="h-28" />}>
          <Illustration />
        </Suspense>
        <h1 className="mt-6 heading-large text-3xl">{crashStrings.routeTitle}</h1>
        <p className="mt-2 text-lg text-ink-2 wrap-anywhere">{summary}</p>
        {isRouteErrorResponse(error) ? <p className="mt-2 text-base text-ink-2">{crashStrings.notFound}</p> : null}
        {isMissing ? <p className="mt-2 text-base text-ink-2">{crashStrings.missing}</p> : null}
        <div className="mt-6">
          {isMissing ? (
            <Button variant="primary" onClick={() => location.reload()}>
              {crashStrings.tryAgain}
            </Button>
          ) : (
            <Link to="/" reloadDocument className={buttonClass('primary')}>
              {crashStrings.home}
            </Link>
          )}
        </div>
        <Suspense>
          <ErrorDetails summary={summary} stack={stack} />
        </Suspense>
      </main>
    </>
  )
}

function describeError(error: unknown): { readonly summary: string; readonly stack: string | null } {
  if (isRouteErrorResponse(error)) return { summary: `${error.status} ${error.statusText}`, stack: null }
  if (!(error instanceof Error)) return { summary: redactSecrets(String(error)), stack: null }
  return { summary: redactSecrets(error.message), stack: error.stack ? redactSecrets(error.stack) : null }
}
