import { classNames } from '#/components/ui/class-names.ts'
import type { PasswordScore } from '#/lib/workers/tasks.ts'
import { passwordStrings } from '#/strings/account/passwords.ts'
import { usePasswordStrength } from './use-password-strength.ts'

interface PasswordStrengthProps {
  readonly password: string
  /** Personal data such as the email address: a password derived from it is weak. */
  readonly userInputs?: readonly string[]
}

const noInputs: readonly string[] = []

/**
 * Shows the strength of a new password while it is typed, as the hint of its field. It advises and never blocks. The
 * word lists are loaded on the first key press.
 */
export function PasswordStrength({ password, userInputs = noInputs }: PasswordStrengthProps) {
  const strength = usePasswordStrength(password, userInputs)
  const score = password === '' ? null : (strength?.score ?? null)
  return (
    <span className="grid gap-1.5">
      <span aria-hidden className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classNames(
              'block h-1 rounded-full forced-colors:border',
              score !== null && step <= Math.max(score, 1) ? fills[score] : 'bg-sunken',
            )}
          />
        ))}
      </span>
      <span role="status" className={classNames('block', password === '' ? 'empty:hidden' : 'min-h-4.5')}>
        {score === null ? null : (
          <>
            <span className="sr-only">{passwordStrings.strength}: </span>
            <span className="font-medium text-ink">{passwordStrings.scores[score]}</span>
            {score < 3 ? <span>. {adviceFor(strength?.warning ?? null)}</span> : null}
          </>
        )}
      </span>
    </span>
  )
}

function adviceFor(warning: string | null): string {
  const { warnings, advice } = passwordStrings
  return warning !== null && warning in warnings ? warnings[warning as keyof typeof warnings] : advice
}

const fills: Record<PasswordScore, string> = {
  0: 'bg-rust forced-colors:bg-[CanvasText]',
  1: 'bg-rust forced-colors:bg-[CanvasText]',
  2: 'bg-brass forced-colors:bg-[CanvasText]',
  3: 'bg-seal-fill forced-colors:bg-[CanvasText]',
  4: 'bg-seal-fill forced-colors:bg-[CanvasText]',
}
