/** A part of a text. `link` is set where the part is an address of a website. */
export interface TextPart {
  readonly text: string
  readonly link?: MessageLink
}

export interface MessageLink {
  readonly href: string
  /** The host in ASCII, which shows letters that only look like others. */
  readonly host: string
  /** Whether the address may be mistaken for one of another site: by foreign letters in its host, or by a user name. */
  readonly isDeceptive: boolean
}

const address = /https?:\/\/[^\s<>"'`]+/giu
const trailingPunctuation = /[.,;:!?»”’)\]}]+$/u

/** Splits a text at the addresses of websites in it. Punctuation after an address does not belong to it. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = withoutTrailingPunctuation(found)
    const link = parseLink(shown)
    if (!link) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: shown, link })
    end = index + shown.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

function withoutTrailingPunctuation(found: string): string {
  const shown = found.replace(trailingPunctuation, '')
  // A closing bracket belongs to an address that contains the opening one.
  return found[shown.length] === ')' && shown.includes('(') ? `${shown})` : shown
}

function parseLink(shown: string): MessageLink | null {
  if (!URL.canParse(shown)) return null
  const { href, host, hostname, username, password } = new URL(shown)
  const hasForeignLetters = hostname.split('.').some((label) => label.startsWith('xn--'))
  return { href, host, isDeceptive: hasForeignLetters || username !== '' || password !== '' }
}
