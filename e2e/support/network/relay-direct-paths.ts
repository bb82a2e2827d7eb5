import type { BrowserContext } from '@playwright/test'
import { createUdpRelays, routeThroughRelay, type UdpRelays } from './udp-relays.ts'

/** Puts a UDP relay that can be cut into every direct path between browsers. Call it before their first page opens. */
export async function relayDirectPaths(contexts: readonly BrowserContext[]): Promise<UdpRelays> {
  const relays = createUdpRelays()
  for (const context of contexts) {
    await context.exposeFunction('portOnTheWay', relays.relayPortFor)
    await context.addInitScript(routeThroughRelay)
  }
  return relays
}
