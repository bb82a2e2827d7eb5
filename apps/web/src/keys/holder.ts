/** Whose password it is: the server names the salt by it. */
export type Holder = { readonly email: string } | { readonly phone: string }
