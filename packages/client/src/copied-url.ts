/**
 * Parses a copied link of this product: ignores what precedes it, decodes a # that another program has encoded, and
 * completes a missing scheme. Line breaks stay in the fragment, where they tell the link from what follows it. Null if it
 * is no URL.
 */
export function parseCopiedUrl(text: string): URL | null {
  const start = text.search(/https?:\/\//i)
  const address = start < 0 ? text.replace(/^[^a-z\d]+/i, '') : text.slice(start)
  const [page = '', fragment = ''] = address.split(/(?:%(?:25)*23|#)+(.*)/is)
  const scheme = /^https?:/i.test(page) ? '' : 'https://'
  const url = `${scheme}${page}#${fragment.replace(/[\t\r\n]/g, encodeURIComponent)}`
  return URL.canParse(url) ? new URL(url) : null
}
