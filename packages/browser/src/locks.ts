import { ignore } from '@sallyport/contract/ignore'

/** Releases a claim; resolves once other pages can acquire it. */
export type ReleaseClaim = () => Promise<void>

/** Exclusive claims of one page, based on Web Locks. The browser releases them when the page is closed or killed. */
export interface Claims {
  /** Acquires a claim and returns the function that releases it; null when another page holds it. */
  claim(id: string): Promise<ReleaseClaim | null>
  /** Ids that any page of this browser has claimed. */
  claimedIds(): Promise<ReadonlySet<string>>
}

export function createClaims(prefix: string): Claims {
  return {
    claim(id) {
      const acquired = Promise.withResolvers<ReleaseClaim | null>()
      const released = Promise.withResolvers<void>()
      const request = navigator.locks.request(prefix + id, { ifAvailable: true }, async (lock) => {
        acquired.resolve(lock ? release : null)
        if (lock) await released.promise
      })
      const release = async () => {
        released.resolve()
        await request
      }
      request.catch(acquired.reject)
      return acquired.promise
    },
    async claimedIds() {
      const { held = [] } = await navigator.locks.query()
      const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
      return new Set(names.map((name) => name.slice(prefix.length)))
    },
  }
}

/** Holds a lock until the returned function is called. */
export function holdLock(name: string, mode: LockMode = 'exclusive'): () => void {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  navigator.locks
    .request(name, { mode }, () => held)
    .catch((error) => ignore(error, 'without locks nothing shows that it is in use'))
  return release
}
