import { decodePercent, findCopiedSecret, shareFragmentCharacters } from '@sallyport/crypto'
import { parseCopiedUrl } from '../copied-url.ts'

/** Undoes what mail and chat programs do to a share link, as far as its parts can be told. */
export function repairShareLink(link: string): string {
  const url = parseCopiedUrl(link)
  if (!url) return link
  const { origin, pathname, hash } = url
  const key = findCopiedSecret(hash, shareFragmentCharacters) ?? hash.slice(1)
  return `${origin}${decodePercent(pathname).replace(/^\/+/, '/')}#${key}`
}
