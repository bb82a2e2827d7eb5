interface LinkDigits {
  readonly digits: string
  /** The fragment, if another program has encoded its # so that it became part of the query; otherwise empty. */
  readonly fragment: string
}

/**
 * Reads the six digits of a session or portal link from the query of its URL. Other characters may surround them, such as
 * the full stop of a sentence. Null if there are not exactly six.
 */
export function readLinkDigits(search: string, name: 'session' | 'join'): LinkDigits | null {
  const [text = '', fragment = ''] = (new URLSearchParams(search).get(name) ?? '').split('#', 2)
  const digits = /^[^\da-z]*(\d{6})[^\da-z]*$/i.exec(text.normalize('NFKC'))?.[1]
  return digits === undefined ? null : { digits, fragment }
}
