import type { Config } from '../../../config.ts'

/** Address and credentials of a hosted provider. */
export interface HostedProviderConfig {
  /** The base URL of the provider, without a trailing slash. */
  readonly url: string
  readonly publishableKey: string
  readonly serviceKey: string
  readonly issuer: string
  readonly jwksUrl: URL
  /** The HS256 secret of a provider that signs tokens without public keys. */
  readonly sharedSecret: string | undefined
}

type HostedProviderSettings = { readonly [Name in keyof Config & `AUTH_${string}`]?: Config[Name] | undefined }

/** Reads the configuration of a hosted provider; null in embedded mode. Throws when a setting is missing. */
export function readHostedProviderConfig(settings: HostedProviderSettings): HostedProviderConfig | null {
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
    jwksUrl: new URL(settings.AUTH_JWKS_URL ?? `${url}/.well-known/jwks.json`),
    sharedSecret: settings.AUTH_JWT_SECRET,
  }
}
