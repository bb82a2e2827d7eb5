import { CopyButton } from '#/components/ui/copy-button.tsx'
import { crashStrings } from '#/strings/crash.ts'
import { redactSecrets } from './redact-secrets.ts'

interface ErrorDetailsProps {
  /** Without secrets. */
  readonly summary: string
  readonly stack: string | null
}

/** The details of a crash for a report, with a button to copy them. */
export function ErrorDetails({ summary, stack }: ErrorDetailsProps) {
  async function copy(): Promise<boolean> {
    const details = [redactSecrets(location.href), summary, stack].filter(Boolean).join('\n')
    return navigator.clipboard.writeText(details).then(
      () => true,
      () => false,
    )
  }

  return (
    <>
      {stack ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard.
        <pre tabIndex={0} className="num mt-6 max-h-72 w-full overflow-auto rounded-control bg-sunken p-4 text-start">
          {stack}
        </pre>
      ) : null}
      <CopyButton label={crashStrings.copyDetails} size="regular" onCopy={copy} className="mt-2.5" />
    </>
  )
}
