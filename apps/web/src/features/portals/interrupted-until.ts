const dayMs = 24 * 3_600_000
const storageKey = 'interruptedPortalUntil'

/** Notes that until `until`, in epoch milliseconds, a later page may have a portal or a transfer to resume. */
export function noteResumableUntil(until: number): void {
  if (until > Number(localStorage.getItem(storageKey))) localStorage.setItem(storageKey, String(until))
}

export const forgetResumable = (): void => localStorage.removeItem(storageKey)

/** Whether there may be something to resume: enough to look for it. The device's clock may be far from the server's. */
export const mayBeResumable = (): boolean => Number(localStorage.getItem(storageKey)) > Date.now() - dayMs
