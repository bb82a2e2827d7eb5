const everywhere = {
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

/** Workers have a policy of their own; only the one that derives keys runs WebAssembly. */
const workerDirectives = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
}

/** What the page may do; it may speak to this server, and to a sign-in provider elsewhere if there is one. */
export const pagePolicy = (providerOrigin: string | null): string =>
  policy(providerOrigin === null ? pageDirectives : { ...pageDirectives, 'connect-src': `'self' ${providerOrigin}` })
export const workerPolicy = policy(workerDirectives)
export const answerPolicy = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

/** Headers of every answer; over TLS the browser is told to stay there. */
export function securityHeaders(overTls: boolean): Readonly<Record<string, string>> {
  return overTls ? { ...everywhere, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : everywhere
}
