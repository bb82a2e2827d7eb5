/** Query and fragment of an address. */
const afterPath = /(https?:\/\/[^\s?#'"]*)[?#][^\s'")]*/g
/** What the links of ours carry in their path. */
const inPath = /\/(s|share|invite|accept-invite|join-org)\/[^\s/?#'":)]+/g
/** Long enough to be a token or a key; what our own scripts are called is none. */
const long = /[\w-]{22,}(\.[\w.-]+)*/g

/** A text for a screen or a report from which nobody can take a token, a key or the address of a link. */
export function withoutSecrets(text: string): string {
  return text
    .replace(afterPath, '$1')
    .replace(inPath, '/$1/…')
    .replace(long, (word) => (/\.(m?js|css)\b/.test(word) || /^[a-zA-Z]+$/.test(word) ? word : '…'))
}
