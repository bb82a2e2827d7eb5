import { test as base, expect } from './journey.ts'

interface Between {
  /** Puts something between the browser and the server, for the length of the test. */
  readonly between: <Thing extends { readonly url: string }>(thing: Thing, end: () => Promise<void>) => Thing
}

/** A journey whose page is opened by way of whatever the test puts in between. */
export const test = base.extend<Between>({
  between: async ({ browserName: _ }, use) => {
    const ends: (() => Promise<void>)[] = []
    await use((thing, end) => {
      ends.push(end)
      return thing
    })
    for (const end of ends) await end()
  },
})

export { expect }
