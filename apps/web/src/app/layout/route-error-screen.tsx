import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { BrokenGate } from '#/components/brand/gate-illustrations.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { crashStrings } from '#/strings/crash.ts'
import { productName } from '#/strings/product.ts'
import { redactSecrets } from '../redact-secrets.ts'

/** Shown by the router when a page cannot be opened: an unknown URL or a crash. */
export function RouteErrorScreen() {
  const error = useRouteError()
  const { summary, stack } = describeError(error)
  useTitle(`${summary} · ${productName}`)

  async function copy(): Promise<boolean> {
    const details = [redactSecrets(location.href), summary, stack].filter(Boolean).join('\n')
    return navigator.clipboard.writeText(details).then(
      () => true,
      () => false,
    )
  }

  return (
    <>
      <header className="flex h-16 items-center px-5 md:px-10">
        <Link to="/" reloadDocument className="rounded-segment heading text-lg">
          {productName}
        </Link>
      </header>
      <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-12 text-center">
        <BrokenGate />
        <h1 className="mt-6 heading-large text-3xl">{crashStrings.routeTitle}</h1>
        <p className="mt-2 text-lg text-ink-2 wrap-anywhere">{summary}</p>
        {isRouteErrorResponse(error) ? <p className="mt-2 text-base text-ink-2">{crashStrings.notFound}</p> : null}
        {stack ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard.
          <pre tabIndex={0} className="num mt-6 max-h-72 w-full overflow-auto rounded-control bg-sunken p-4 text-start">
            {stack}
          </pre>
        ) : null}
        <div className="mt-6 flex flex-wrap justify-center gap-2.5">
          <Link to="/" reloadDocument className={buttonClass('primary')}>
            {crashStrings.home}
          </Link>
          <CopyButton label={crashStrings.copyDetails} size="regular" onCopy={copy} />
        </div>
      </main>
    </>
  )
}

function describeError(error: unknown): { readonly summary: string; readonly stack: string | null } {
  if (isRouteErrorResponse(error)) return { summary: `${error.status} ${error.statusText}`, stack: null }
  if (!(error instanceof Error)) return { summary: redactSecrets(String(error)), stack: null }
  return { summary: redactSecrets(error.message), stack: error.stack ? redactSecrets(error.stack) : null }
}
