/**
 * Runs a function while the random generator returns the values of a script, so that sealing can be compared with
 * vectors. Fails if the function uses more or fewer values. Runs must not overlap.
 */
export async function withRandom<Result>(script: readonly Uint8Array[], run: () => Promise<Result>): Promise<Result> {
  const values = [...script]
  const scripted = (target: Uint8Array): Uint8Array => {
    const value = values.shift()
    if (value?.length !== target.length) throw new Error(`The script has no value of ${target.length} bytes here`)
    target.set(value)
    return target
  }
  Object.defineProperty(crypto, 'getRandomValues', { value: scripted, configurable: true })
  try {
    const result = await run()
    if (values.length > 0) throw new Error(`${values.length} values of the script were not used`)
    return result
  } finally {
    Reflect.deleteProperty(crypto, 'getRandomValues')
  }
}

/** Runs a function on a device whose random generator always returns the same byte. */
export async function withBrokenRandom<Result>(run: () => Promise<Result> | Result): Promise<Result> {
  const broken = (target: Uint8Array): Uint8Array => target.fill(7)
  Object.defineProperty(crypto, 'getRandomValues', { value: broken, configurable: true })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(crypto, 'getRandomValues')
  }
}
