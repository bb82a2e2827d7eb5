/** The state of the navigation that follows the deletion of an account. */
export const afterDeletion = { isAccountDeleted: true } as const

export const isAfterDeletion = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isAccountDeleted' in state
