/**
 * Runs something while the random generator gives the bytes of a script, draw by draw, so that sealing can be compared
 * with vectors. Fails when more is drawn than the script holds, or less. Never two at the same time.
 */
export async function withRandom<Result>(script: readonly Uint8Array[], run: () => Promise<Result>): Promise<Result> {
  const draws = [...script]
  const scripted = (target: Uint8Array): Uint8Array => {
    const draw = draws.shift()
    if (draw?.length !== target.length) throw new Error(`The script has no draw of ${target.length} bytes here`)
    target.set(draw)
    return target
  }
  Object.defineProperty(crypto, 'getRandomValues', { value: scripted, configurable: true })
  try {
    const result = await run()
    if (draws.length > 0) throw new Error(`${draws.length} draws of the script were not used`)
    return result
  } finally {
    Reflect.deleteProperty(crypto, 'getRandomValues')
  }
}

/** Runs something on a device whose random generator gives one byte for ever. */
export async function withBrokenRandom<Result>(run: () => Promise<Result> | Result): Promise<Result> {
  const broken = (target: Uint8Array): Uint8Array => target.fill(7)
  Object.defineProperty(crypto, 'getRandomValues', { value: broken, configurable: true })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(crypto, 'getRandomValues')
  }
}
