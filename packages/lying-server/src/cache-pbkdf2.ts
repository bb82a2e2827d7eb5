/**
 * Caches PBKDF2, so that each PIN is stretched once per case instead of at every step. The iteration count stays that
 * of the client.
 */
export function cachePbkdf2(): void {
  const known = new Map<string, Promise<ArrayBuffer>>()
  const original = crypto.subtle.deriveBits.bind(crypto.subtle)
  const cached: typeof original = (algorithm, key, length) => {
    const { name, salt, iterations } = algorithm as Partial<Pbkdf2Params> & { readonly name: string }
    if (name !== 'PBKDF2') return original(algorithm, key, length)
    // The salt of a session contains its PIN, so it identifies the password as well.
    const cacheKey = `${iterations} ${String(salt)}`
    const answer = known.get(cacheKey) ?? original(algorithm, key, length)
    known.set(cacheKey, answer)
    return answer.then((bits) => bits.slice(0))
  }
  Object.defineProperty(crypto.subtle, 'deriveBits', { value: cached, configurable: true })
}
