const name = 'sallyport-sign-out'

/** Runs `work` while `isSigningOut` is true in every tab of this browser. */
export const whileSigningOut = (work: () => Promise<void>): Promise<void> =>
  navigator.locks.request(name, { mode: 'shared' }, work)

/** Whether a tab is signing out: the server may say so before the cleared storage reaches this tab. */
export async function isSigningOut(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some((lock) => lock.name === name)
}
