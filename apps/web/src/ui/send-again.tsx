import { Button } from './button.tsx'
import { useCountdown } from './use-countdown.ts'
import { useWork } from './use-work.ts'

interface SendAgainProps {
  readonly label: string
  /** What is said while the button waits. */
  readonly sentLabel: (secondsLeft: number) => string
  /** How long it waits after each press. */
  readonly waitMs: number
  /** A message has just been sent, so it waits from the start. */
  readonly startsWaiting?: boolean
  readonly disabled?: boolean
  readonly onSend: () => Promise<void>
  /** A failure in words for the person. */
  readonly sayFailure: (error: unknown) => string
}

/** A button that sends a message once more, and then waits before it may be pressed again. */
export function SendAgain({
  label,
  sentLabel,
  waitMs,
  startsWaiting = false,
  disabled = false,
  onSend,
  sayFailure,
}: SendAgainProps) {
  const { secondsLeft, start } = useCountdown(waitMs, startsWaiting)
  const { isBusy, failure, run } = useWork(sayFailure)
  const isWaiting = secondsLeft > 0

  function send() {
    if (isWaiting) return
    void run(async () => {
      await onSend()
      start()
    })
  }

  return (
    <div className="grid justify-items-start gap-1.5">
      <Button size="compact" disabled={disabled} busy={isBusy || isWaiting} onClick={send}>
        {label}
      </Button>
      <p role="status" className="text-xs text-ink-2 empty:hidden">
        {isWaiting ? sentLabel(secondsLeft) : null}
      </p>
      <p role="alert" className="text-xs font-medium text-rust empty:hidden">
        {failure}
      </p>
    </div>
  )
}
