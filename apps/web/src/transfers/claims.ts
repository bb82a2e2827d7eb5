/** Settles once other pages can take it. */
export type LetGo = () => Promise<void>

/** What one page alone may go on with; a page that is closed or killed has let go of everything. */
export interface Claims {
  /** Takes something for this page alone and gives the function that lets it go; null when another page has it. */
  claim(id: string): Promise<LetGo | null>
  /** Ids that some page of this browser has claimed. */
  claimed(): Promise<ReadonlySet<string>>
}

export function createClaims(prefix: string): Claims {
  return {
    claim(id) {
      const claimed = Promise.withResolvers<LetGo | null>()
      const held = Promise.withResolvers<void>()
      const request = navigator.locks.request(prefix + id, { ifAvailable: true }, async (lock) => {
        claimed.resolve(lock ? letGo : null)
        if (lock) await held.promise
      })
      const letGo = async () => {
        held.resolve()
        await request
      }
      request.catch(claimed.reject)
      return claimed.promise
    },
    async claimed() {
      const { held = [] } = await navigator.locks.query()
      const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
      return new Set(names.map((name) => name.slice(prefix.length)))
    },
  }
}
