/** Query and fragment of a URL. */
const queryOrFragment = /(https?:\/\/[^\s?#'"]*)[?#][^\s'")]*/g
/** Secrets in the path of our links. */
const secretInPath = /\/(s|share|invite|accept-invite|join-org)\/[^\s/?#'":)]+/g
/** Long enough to be a token or a key; file names of our scripts are excluded below. */
const longToken = /[\w-]{22,}(\.[\w.-]+)*/g

/** Redacts tokens, keys and links from a text that is shown or reported. */
export function redactSecrets(text: string): string {
  return text
    .replace(queryOrFragment, '$1')
    .replace(secretInPath, '/$1/…')
    .replace(longToken, (word) => (/\.(m?js|css)\b/.test(word) || /^[a-zA-Z]+$/.test(word) ? word : '…'))
}
