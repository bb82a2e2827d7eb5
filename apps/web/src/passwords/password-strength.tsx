import { classNames } from '#/ui/class-names.ts'
import { passwordWords } from '#/words/passwords.ts'
import type { PasswordScore } from '#/workers/tasks.ts'
import { usePasswordStrength } from './use-password-strength.ts'

interface PasswordStrengthProps {
  readonly password: string
  /** What others know of the person, such as their address: a password made of it is weak. */
  readonly own?: readonly string[]
}

const nothing: readonly string[] = []

/**
 * Says how hard a new password is to guess while it is typed; goes into the hint of its field. It advises and never
 * refuses. The word lists are loaded with the first letter.
 */
export function PasswordStrength({ password, own = nothing }: PasswordStrengthProps) {
  const strength = usePasswordStrength(password, own)
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
      <span role="status" className="block min-h-4.5">
        {score === null ? null : (
          <>
            <span className="sr-only">{passwordWords.strength}: </span>
            <span className="font-medium text-ink">{passwordWords.scores[score]}</span>
            {score < 3 ? <span>. {strength?.warning ?? passwordWords.advice}</span> : null}
          </>
        )}
      </span>
    </span>
  )
}

const fills: Record<PasswordScore, string> = {
  0: 'bg-rust forced-colors:bg-[CanvasText]',
  1: 'bg-rust forced-colors:bg-[CanvasText]',
  2: 'bg-brass forced-colors:bg-[CanvasText]',
  3: 'bg-seal-fill forced-colors:bg-[CanvasText]',
  4: 'bg-seal-fill forced-colors:bg-[CanvasText]',
}
