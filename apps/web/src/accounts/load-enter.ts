/** The way from a password to an open account is only loaded by those who take it. */
export const loadEnter = () => import('./enter.ts')

/** Loads it ahead of the press of the button, so that nobody waits for it. */
export function prepareEntering(): void {
  Promise.all([loadEnter(), import('#/api/auth-client.ts')]).catch(() => undefined)
}
