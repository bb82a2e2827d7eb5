import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { BrokenGate } from '#/motifs/gate-pictures.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { crashWords } from '#/words/crash.ts'
import { productName } from '#/words/product.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What the router shows when a page cannot be opened at all: an unknown address, or a fault. */
export function RouteErrorScreen() {
  const { summary, stack } = describe(useRouteError())
  useTitle(`${summary} · ${productName}`)

  async function copy(): Promise<boolean> {
    const details = [withoutSecrets(location.href), summary, stack].filter(Boolean).join('\n')
    return navigator.clipboard.writeText(details).then(
      () => true,
      () => false,
    )
  }

  return (
    <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-16 text-center">
      <BrokenGate />
      <h1 className="mt-6 heading-large text-3xl">{crashWords.routeTitle}</h1>
      <p className="mt-2 text-lg text-ink-2 wrap-anywhere">{summary}</p>
      {stack ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable with the keyboard.
        <pre tabIndex={0} className="num mt-6 max-h-72 w-full overflow-auto rounded-control bg-sunken p-4 text-start">
          {stack}
        </pre>
      ) : null}
      <div className="mt-6 flex flex-wrap justify-center gap-2.5">
        <Link to="/" reloadDocument className={buttonClass('primary')}>
          {crashWords.home}
        </Link>
        <CopyButton label={crashWords.copyDetails} size="regular" onCopy={copy} />
      </div>
    </main>
  )
}

function describe(error: unknown): { readonly summary: string; readonly stack: string | null } {
  if (isRouteErrorResponse(error)) return { summary: `${error.status} ${error.statusText}`, stack: null }
  if (!(error instanceof Error)) return { summary: withoutSecrets(String(error)), stack: null }
  return { summary: withoutSecrets(error.message), stack: error.stack ? withoutSecrets(error.stack) : null }
}
