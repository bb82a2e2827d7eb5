import { BrokenGate } from '#/components/brand/gate-illustrations.tsx'
import { Button } from '#/components/ui/button.tsx'
import { crashStrings } from '#/strings/crash.ts'
import { redactSecrets } from '../redact-secrets.ts'

interface CrashScreenProps {
  readonly error: unknown
}

export function CrashScreen({ error }: CrashScreenProps) {
  const details = redactSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return (
    <div role="alert" className="mx-auto grid max-w-reading justify-items-center px-5 py-16 text-center">
      <BrokenGate />
      <h1 className="mt-6 heading-large text-3xl">{crashStrings.title}</h1>
      <p className="mt-2 text-base text-ink-2">{crashStrings.explanation}</p>
      <Button variant="primary" className="mt-6" onClick={() => location.reload()}>
        {crashStrings.reload}
      </Button>
      <details className="disclosure mt-8 w-full text-start">
        <summary className="mx-auto px-2 text-sm text-ink-2">{crashStrings.details}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard. */}
        <pre tabIndex={0} className="num mt-3 max-h-72 overflow-auto rounded-control bg-sunken p-4">
          {details}
        </pre>
      </details>
    </div>
  )
}
