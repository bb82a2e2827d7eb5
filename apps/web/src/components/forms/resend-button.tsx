import { useMutation } from '@tanstack/react-query'
import { Button } from '#/components/ui/button.tsx'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { messageFor } from '#/strings/errors/message-for.ts'

interface ResendButtonProps {
  readonly label: string
  /** Status text while the button waits. */
  readonly sentLabel: (secondsLeft: number) => string
  /** Cooldown after each click. */
  readonly waitMs: number
  /** A message was sent just now, so the cooldown starts immediately. */
  readonly startsWaiting?: boolean
  readonly disabled?: boolean
  readonly onSend: () => Promise<void>
  /** Shown for an error that has no sentence of its own. */
  readonly failed: string
}

/** A button that sends a message again, with a cooldown between clicks. */
export function ResendButton({
  label,
  sentLabel,
  waitMs,
  startsWaiting = false,
  disabled = false,
  onSend,
  failed,
}: ResendButtonProps) {
  const { secondsLeft, start } = useCountdown(waitMs, startsWaiting)
  const { mutate, isPending, error } = useMutation({ mutationFn: onSend, onSuccess: start, networkMode: 'always' })
  const isWaiting = secondsLeft > 0

  return (
    <div className="grid justify-items-start gap-1.5">
      <Button
        size="compact"
        className={isWaiting ? 'opacity-55' : undefined}
        disabled={disabled}
        busy={isPending || isWaiting}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      <p role="status" className="text-xs text-ink-2 empty:hidden">
        {isWaiting ? sentLabel(secondsLeft) : null}
      </p>
      <p role="alert" className="text-xs font-medium text-rust empty:hidden">
        {error ? messageFor(error, failed) : null}
      </p>
    </div>
  )
}
