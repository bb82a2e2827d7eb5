/** Identifies the account whose password is derived; the server looks up the salt by it. */
export type AccountIdentifier = { readonly email: string } | { readonly phone: string }
