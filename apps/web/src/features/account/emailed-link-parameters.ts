type LinkUrl = Pick<Location, 'search' | 'hash'>

/** Returns a function that reads a parameter of a link from an email: from the fragment, or else from the query. */
export function emailedLinkParameters({ search, hash }: LinkUrl): (name: string) => string {
  const parse = (text: string) => new URLSearchParams(text.replaceAll('&amp;', '&'))
  const query = parse(search)
  const fragment = parse(hash.replace(/^#+/, ''))
  return (name) => fragment.get(name) ?? query.get(name) ?? ''
}

/** Returns a token without what mail programs have inserted into it; empty if it has characters that no token has. */
export function cleanToken(value: string): string {
  const token = value.replace(/[\s\p{Cf}=>]/gu, '').replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
  return /^[\w-]+$/.test(token) ? token : ''
}

/** Returns the type of a link without what follows it, such as the full stop of a sentence. */
export const cleanType = (value: string): string => /^[a-z_]*/.exec(value.replace(/\p{Cf}/gu, ''))?.[0] ?? ''
