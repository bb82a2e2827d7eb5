import { CodeMissingError } from '@sallyport/browser/load-code'
import { Component, type ReactNode, useEffect } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { crashStrings } from '#/strings/crash.ts'

const retryEveryMs = 10_000

/**
 * Where it is said that the code of a part is missing: in its place, at the edge of the window for dialogs, or nowhere for
 * parts without which the screen can be used.
 */
export type MissingNotice = 'in-place' | 'floating' | 'none'

interface PartBoundaryProps {
  readonly notice: MissingNotice
  /** Requests the code again; rejects if it is still missing. */
  readonly load: () => Promise<unknown>
  /** Called before the children are rendered again. */
  readonly onRetry: () => void
  readonly children: ReactNode
}

interface PartBoundaryState {
  readonly error: unknown
}

/** Confines missing code to the part that it belongs to, which appears once the code can be loaded. */
export class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): PartBoundaryState {
    return { error: error ?? new Error('Unknown') }
  }

  readonly retry = (): void => {
    this.props.onRetry()
    this.setState({ error: null })
  }

  override render() {
    const { children, notice, load } = this.props
    const { error } = this.state
    if (error === null) return children
    // A crash is for the boundary around this one.
    if (!(error instanceof CodeMissingError)) throw error
    return <MissingPart notice={notice} load={load} onRetry={this.retry} />
  }
}

function MissingPart({ notice, load, onRetry }: Omit<PartBoundaryProps, 'children'>) {
  useEffect(() => {
    const timer = setInterval(() => void load().then(onRetry, () => undefined), retryEveryMs)
    return () => clearInterval(timer)
  }, [load, onRetry])

  if (notice === 'none') return null
  return (
    <div
      role="alert"
      className={classNames(
        notice === 'floating'
          ? 'fixed inset-x-5 bottom-24 z-50 mx-auto shadow-float md:bottom-5'
          : 'mx-5 my-6 md:mx-auto',
        'grid max-w-reading justify-items-start gap-3 rounded-card border border-line bg-surface p-5',
      )}
    >
      <p>
        <strong className="block">{crashStrings.missingTitle}</strong>
        {crashStrings.missing}
      </p>
      <Button size="compact" onClick={onRetry}>
        {crashStrings.tryAgain}
      </Button>
    </div>
  )
}
