/** Where the build puts scripts; the development server serves them from the source tree. */
const scriptPaths = import.meta.env.PROD ? ['/assets/'] : ['/src/', '/assets/', '/node_modules/', '/@fs/']

/** A script at the top level, where a service worker must lie to see every page. */
const serviceWorkerPath = /^\/[\w.-]+\.js$/

const policy = globalThis.trustedTypes?.createPolicy('sallyport', { createScriptURL: admitOwnScript })

/**
 * The address of one of our own scripts, in the only form the content policy takes for workers and service workers.
 * Throws a TypeError for any other address.
 */
export function trustedScriptUrl(url: string): string {
  // Worker constructors are typed for strings; browsers with Trusted Types want the object itself.
  return (policy?.createScriptURL(url) ?? admitOwnScript(url)) as string
}

function admitOwnScript(url: string): string {
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
