import { loadCode } from '@sallyport/browser/load-code'

/** Loads the sign-in code, which is split off because only visitors who sign in need it. */
export const loadSignIn = () => loadCode(() => import('./sign-in.ts'))

/** Preloads it before the form is submitted, so that submitting does not wait for it. */
export function preloadSignIn(): void {
  Promise.all([loadSignIn(), loadCode(() => import('#/lib/api/auth-client.ts'))]).catch(() => undefined)
}
