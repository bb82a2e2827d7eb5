import type { ServedHandles } from './served.tasks.ts'

const paramNames = { mark: 'sw_decrypt', auth: 'auth', fileName: 'filename', key: 'master_key' } as const

/** The URL of a file that the service worker serves. It contains random handles in place of secrets. */
export function servedUrl(path: string, { key, auth }: ServedHandles): string {
  const query = new URLSearchParams({
    [paramNames.mark]: '1',
    [paramNames.auth]: auth,
    [paramNames.fileName]: key,
    [paramNames.key]: key,
  })
  return `${path}?${query}`
}

/** The handles in a URL; null for a URL that the service worker does not serve. */
export function handlesOf(url: string): ServedHandles | null {
  const { pathname, searchParams } = new URL(url)
  if (!/^\/api\/(download|share|sessions\/files)\//.test(pathname) || !searchParams.has(paramNames.mark)) return null
  return { key: searchParams.get(paramNames.key) ?? '', auth: searchParams.get(paramNames.auth) ?? '' }
}
