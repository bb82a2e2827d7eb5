interface DebugSwitches {
  readonly process?: { readonly env?: { readonly DEBUG?: string } }
  readonly localStorage?: { readonly debug?: string }
  readonly debug?: unknown
}

/**
 * Marks an error as ignored on purpose, for a short reason. It is printed only while debugging: with `DEBUG=sallyport`
 * in Node, `localStorage.debug = 'sallyport'` on the page, or `globalThis.debug = 'sallyport'` in a worker.
 */
export function ignore(error: unknown, reason: string): undefined {
  if (!/(^|[\s,])(sallyport|\*)($|[\s,])/.test(debugSwitch())) return
  // biome-ignore lint/suspicious/noConsole: the console of a developer; in Node it is stderr, stdout may carry a file.
  console.warn(`sallyport: ignored, ${reason}:`, describe(error))
}

function debugSwitch(): string {
  const switches = globalThis as DebugSwitches
  try {
    // Node warns about `localStorage`, so it is read only where there is no process.
    return String(
      switches.debug ?? switches.process?.env?.DEBUG ?? (switches.process ? '' : switches.localStorage?.debug),
    )
  } catch {
    // A page whose storage is blocked throws here.
    return ''
  }
}

/** Leaves out the message: that of `JSON.parse` or `new URL` quotes its input, which may be a key or a link. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, stack = '' } = error
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return [`${name}${code}`, ...frames].join('\n')
}
