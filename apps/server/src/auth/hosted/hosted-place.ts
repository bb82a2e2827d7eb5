/** Where a provider elsewhere is, and what it takes to speak to it. */
export interface HostedPlace {
  readonly url: string
  readonly publishableKey: string
  readonly serviceKey: string
  readonly issuer: string
  readonly keysUrl: URL
  readonly sharedSecret: string | undefined
}

interface Settings {
  readonly AUTH_MODE: 'embedded' | 'hosted'
  readonly AUTH_URL: string | undefined
  readonly AUTH_PUBLISHABLE_KEY: string | undefined
  readonly AUTH_SERVICE_KEY: string | undefined
  readonly AUTH_ISSUER: string | undefined
  readonly AUTH_JWKS_URL: string | undefined
  readonly AUTH_JWT_SECRET: string | undefined
}

/** Reads where the provider is; null where it comes with the server. Stops the start when something is missing. */
export function readHostedPlace(settings: { [Name in keyof Settings]?: Settings[Name] }): HostedPlace | null {
  if (settings.AUTH_MODE !== 'hosted') return null
  const { AUTH_URL, AUTH_PUBLISHABLE_KEY: publishableKey, AUTH_SERVICE_KEY: serviceKey } = settings
  if (!AUTH_URL || !publishableKey || !serviceKey) {
    throw new Error('AUTH_MODE=hosted needs AUTH_URL, AUTH_PUBLISHABLE_KEY and AUTH_SERVICE_KEY')
  }
  const url = AUTH_URL.replace(/\/+$/, '')
  return {
    url,
    publishableKey,
    serviceKey,
    issuer: settings.AUTH_ISSUER ?? url,
    keysUrl: new URL(settings.AUTH_JWKS_URL ?? `${url}/.well-known/jwks.json`),
    sharedSecret: settings.AUTH_JWT_SECRET,
  }
}
