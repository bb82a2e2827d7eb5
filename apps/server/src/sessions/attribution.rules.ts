/** How a caller was recognized: by the token, by the account, or by the address together with the PIN. */
export type Recognition = 'token' | 'account' | 'address'

interface Candidate {
  readonly userId: string | null
  readonly joinedAt: number
  /** Its token was shown since it joined. */
  readonly isTokenUsed: boolean
}

interface Attributed<Found> {
  readonly participant: Found
  readonly by: Recognition
}

/**
 * Chooses the participant that a call by PIN alone stands for: the newest of the caller's account, or else one that joined
 * from the caller's address and has never shown its token. Null when there is none.
 */
export function attribute<Found extends Candidate>(
  candidates: readonly Found[],
  userId: string | null,
  mayUseAddress: boolean,
): Attributed<Found> | null {
  const newestFirst = candidates.toSorted((a, b) => b.joinedAt - a.joinedAt)
  const own = userId === null ? undefined : newestFirst.find((one) => one.userId === userId)
  if (own) return { participant: own, by: 'account' }
  if (!mayUseAddress) return null
  const untold = newestFirst.filter(({ isTokenUsed }) => !isTokenUsed)
  const nearby = untold.find((one) => one.userId === null) ?? (userId === null ? untold[0] : undefined)
  return nearby ? { participant: nearby, by: 'address' } : null
}
