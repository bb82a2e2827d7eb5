import type { Handles } from './served.tasks.ts'

const names = { mark: 'sw_decrypt', auth: 'auth', fileName: 'filename', key: 'master_key' } as const

/** The address of a file as the service worker answers it: where others would write secrets, it has handles. */
export function servedAddress(path: string, { key, auth }: Handles): string {
  const query = new URLSearchParams({ [names.mark]: '1', [names.auth]: auth, [names.fileName]: key, [names.key]: key })
  return `${path}?${query}`
}

/** The handles in an address; null in one that is none of the service worker's business. */
export function handlesIn(address: string): Handles | null {
  const { pathname, searchParams } = new URL(address)
  if (!/^\/api\/(download|share|sessions\/files)\//.test(pathname) || !searchParams.has(names.mark)) return null
  return { key: searchParams.get(names.key) ?? '', auth: searchParams.get(names.auth) ?? '' }
}
