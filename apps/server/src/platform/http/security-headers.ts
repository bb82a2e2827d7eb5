const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()',
} as const

const policy = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trimEnd())
    .join('; ')

const pageDirectives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'frame-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'sallyport',
}

/** Workers have their own policy; only the key derivation worker runs WebAssembly. */
const workerDirectives = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
}

/** The policy of the web app, which connects to this server and to a hosted auth provider if there is one. */
export const pagePolicy = (providerOrigin: string | null): string =>
  policy(providerOrigin === null ? pageDirectives : { ...pageDirectives, 'connect-src': `'self' ${providerOrigin}` })
export const workerPolicy = policy(workerDirectives)
export const responsePolicy = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

/** Headers of every response; over TLS they include HSTS, for this host only: its subdomains may be others' sites. */
export function securityHeaders(overTls: boolean): Readonly<Record<string, string>> {
  return overTls ? { ...commonHeaders, 'Strict-Transport-Security': 'max-age=31536000' } : commonHeaders
}
