/** The token of an emailed invitation, or `i.` and the id of one whose link was copied. */
const tokenPattern = /^(i\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{43})/

/** Returns the token of an invitation link without what programs have added to it; empty if there is none. */
export function readInvitationToken(text: string): string {
  const cleaned = text.replace(/[\s\p{Cf}=<>]/gu, '').replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
  return tokenPattern.exec(cleaned)?.[1] ?? ''
}

/** A copied link proves nothing about an address: it works only for someone who is signed in. */
export const isCopiedToken = (token: string): boolean => token.startsWith('i.')
