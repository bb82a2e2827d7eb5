import type { DerivationProfile, LoginSecrets } from '@sallyport/crypto'

export interface DeriveTasks {
  loginSecrets(input: {
    readonly password: string
    readonly salt: Uint8Array
    readonly profile: DerivationProfile
  }): Promise<LoginSecrets>
  masterKey(input: { readonly password: string; readonly userId: string }): Promise<Uint8Array<ArrayBuffer>>
}

/** From 0, guessed immediately, to 4. */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

export interface PasswordStrength {
  readonly score: PasswordScore
  /** The name of the main reason why it is easy to guess, such as `dates`; null where there is none. */
  readonly warning: string | null
}

export interface StrengthTasks {
  /** `userData` is what others know about the user, such as the email address. */
  judge(password: string, userData: readonly string[]): Promise<PasswordStrength>
}
