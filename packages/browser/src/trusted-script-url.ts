/** Paths of built scripts; the development server serves them from the source tree. */
const scriptPaths = import.meta.env.PROD ? ['/assets/'] : ['/src/', '/assets/', '/node_modules/', '/@fs/']

/** A script at the top level, where a service worker must be located to control every page. */
const serviceWorkerPath = /^\/[\w.-]+\.js$/

const policy = globalThis.trustedTypes?.createPolicy('sallyport', { createScriptURL: requireOwnScript })

/**
 * Returns the URL of one of our own scripts as a TrustedScriptURL, which the content security policy requires for workers
 * and service workers. Throws a TypeError for any other URL.
 */
export function trustedScriptUrl(url: string): string {
  // Worker constructors are typed for strings, but browsers with Trusted Types require the object itself.
  return (policy?.createScriptURL(url) ?? requireOwnScript(url)) as string
}

function requireOwnScript(url: string): string {
  const { origin, pathname } = new URL(url, location.href)
  const isOwn = origin === location.origin
  const isScript = scriptPaths.some((path) => pathname.startsWith(path)) || serviceWorkerPath.test(pathname)
  if (!isOwn || !isScript) throw new TypeError('Not a script of this application')
  return url
}

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown
}

declare global {
  var trustedTypes:
    | { createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy }
    | undefined
}
