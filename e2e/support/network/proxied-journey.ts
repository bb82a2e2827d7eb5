import { test as base, expect } from '../journey.ts'

interface ProxiedJourney {
  /** Registers a proxy between the browser and the server and closes it after the test. */
  readonly throughProxy: <Thing extends { readonly url: string }>(proxy: Thing, close: () => Promise<void>) => Thing
}

/** A journey whose page is opened through the proxy that the test starts. */
export const test = base.extend<ProxiedJourney>({
  throughProxy: async ({ browserName: _ }, use) => {
    const closers: (() => Promise<void>)[] = []
    await use((proxy, close) => {
      closers.push(close)
      return proxy
    })
    for (const close of closers) await close()
  },
})

export { expect }
