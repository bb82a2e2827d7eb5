/**
 * `error`: 500 without doing anything, saved for the idempotency key; `unavailable`: 503, not saved; `hang`: no answer;
 * `lost-answer`: the work is done and the answer saved, then the connection is closed.
 */
export type FaultKind = 'error' | 'unavailable' | 'hang' | 'lost-answer'

export interface FaultOptions {
  /** How many requests fail. */
  readonly times: number
  readonly how: FaultKind
  /** Only requests with this method. */
  readonly method?: string
  /** Only requests to this path, such as `/v1/customers`. */
  readonly path?: string | RegExp
}

/** Creates a list of faults, of which each request takes the first that matches. */
export function createFaults() {
  let faults: { readonly options: FaultOptions; left: number }[] = []

  return {
    add(options: FaultOptions): void {
      faults.push({ options, left: options.times })
    },
    clear(): void {
      faults = []
    },
    take(method: string, path: string): FaultKind | null {
      const fault = faults.find(({ options, left }) => left > 0 && matches(options, method, path))
      if (fault === undefined) return null
      fault.left -= 1
      return fault.options.how
    },
  }
}

const matches = (options: FaultOptions, method: string, path: string): boolean =>
  (options.method === undefined || options.method === method) &&
  (options.path === undefined || (typeof options.path === 'string' ? options.path === path : options.path.test(path)))

export type Faults = ReturnType<typeof createFaults>
