const certificateSentences: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The server’s certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another host name.',
}

const untrustedCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Describes why no connection could be made, by the system's error code; null if the reason is another one. */
export function describeConnectionError(error: unknown): string | null {
  const code = systemCodeOf(error)
  if (code === null) return null
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Couldn’t find the server. Check the host name in the link and your DNS.'
  if (code === 'ECONNREFUSED') return 'The server refused the connection. It may be stopped, or the port is wrong.'
  if (untrustedCodes.has(code))
    return (
      'The server’s certificate isn’t trusted. If its authority is your own, set NODE_EXTRA_CA_CERTS to the file with ' +
      'its certificate.'
    )
  return certificateSentences[code] ?? null
}

/** The first code of the error and its causes. A connection that was tried at several addresses has one error for each. */
function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code
  const [first] = error instanceof AggregateError ? error.errors : []
  return systemCodeOf(first ?? error.cause)
}
