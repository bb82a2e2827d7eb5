/** How a caller was identified: by the token, by the account, or by the address together with the PIN. */
export type IdentifiedBy = 'token' | 'account' | 'address'

interface Candidate {
  readonly userId: string | null
  readonly joinedAt: number
  /** Whether its token was used since it joined. */
  readonly isTokenUsed: boolean
}

interface Attributed<Found> {
  readonly participant: Found
  readonly identifiedBy: IdentifiedBy
}

/**
 * Chooses the participant for a call by PIN alone: the newest of the caller's account, or else one that joined from the
 * caller's address and has never used its token. Null when there is none.
 */
export function attribute<Found extends Candidate>(
  candidates: readonly Found[],
  userId: string | null,
  allowAddress: boolean,
): Attributed<Found> | null {
  const newestFirst = candidates.toSorted((a, b) => b.joinedAt - a.joinedAt)
  const own = userId === null ? undefined : newestFirst.find((one) => one.userId === userId)
  if (own) return { participant: own, identifiedBy: 'account' }
  if (!allowAddress) return null
  const withoutToken = newestFirst.filter(({ isTokenUsed }) => !isTokenUsed)
  const byAddress = withoutToken.find((one) => one.userId === null) ?? (userId === null ? withoutToken[0] : undefined)
  return byAddress ? { participant: byAddress, identifiedBy: 'address' } : null
}
