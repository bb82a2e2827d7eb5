/**
 * PINs are stretched once for each case instead of at each step of it. The costs stay those of the client; only equal
 * questions are not answered twice.
 */
export function cacheStretching(): void {
  const known = new Map<string, Promise<ArrayBuffer>>()
  const original = crypto.subtle.deriveBits.bind(crypto.subtle)
  const cached: typeof original = (algorithm, key, length) => {
    const { name, salt, iterations } = algorithm as Partial<Pbkdf2Params> & { readonly name: string }
    if (name !== 'PBKDF2') return original(algorithm, key, length)
    // The salt of a session holds its PIN, so that it tells one password from another.
    const question = `${iterations} ${String(salt)}`
    const answer = known.get(question) ?? original(algorithm, key, length)
    known.set(question, answer)
    return answer.then((bits) => bits.slice(0))
  }
  Object.defineProperty(crypto.subtle, 'deriveBits', { value: cached, configurable: true })
}
