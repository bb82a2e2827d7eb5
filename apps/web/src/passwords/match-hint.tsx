import { passwordWords } from '#/words/passwords.ts'

interface MatchHintProps {
  readonly password: string
  readonly confirmation: string
}

/** Neutral on purpose: nothing is wrong while somebody is still typing. Its room is kept from the start. */
export function MatchHint({ password, confirmation }: MatchHintProps) {
  const words = password === confirmation ? passwordWords.matches : passwordWords.matchesNotYet
  return (
    <span role="status" className="block min-h-4.5">
      {confirmation === '' ? null : words}
    </span>
  )
}
