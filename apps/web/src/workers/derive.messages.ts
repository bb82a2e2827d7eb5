import type { DerivationProfile, LoginSecrets } from '@sallyport/crypto'

export type DeriveTask =
  | {
      readonly kind: 'login-secrets'
      readonly password: string
      readonly salt: Uint8Array
      readonly profile: DerivationProfile
    }
  | { readonly kind: 'master-key'; readonly password: string; readonly userId: string }

export type DeriveResult =
  | { readonly kind: 'login-secrets'; readonly secrets: LoginSecrets }
  | { readonly kind: 'master-key'; readonly masterKey: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly message: string }
