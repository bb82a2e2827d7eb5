import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { routeThroughRelay } from '../../e2e/support/network/udp-relays.ts'
import type { Page } from '../lib/devtools.ts'

declare global {
  interface Window {
    nextRequestedPort(): Promise<number | undefined>
    resolveProxyPort(port: number, proxyPort: number): void
  }
}

/** A simulated long-distance link between two browsers. */
export interface DelayedLink {
  /** Script that the pages of both browsers run first. */
  readonly script: string
  /** Routes the packets of a page that runs the script through the link until the page closes. */
  attach(page: Page): void
  close(): Promise<void>
}

/**
 * Delays every packet by `delayMs` and loses none. A worker thread forwards the packets, so that the measuring thread does
 * not delay them further.
 */
export function openDelayedLink(delayMs: number): DelayedLink {
  const forwarder = new Worker(new URL('./delayed-link.thread.ts', import.meta.url), { workerData: delayMs })
  let lastRequest: Promise<unknown> = Promise.resolve()

  function proxyPortOf(port: number): Promise<number> {
    const answer = lastRequest.then(async () => {
      const replied = once(forwarder, 'message')
      forwarder.postMessage(port)
      return Number((await replied)[0])
    })
    lastRequest = answer
    return answer
  }

  async function serveLookups(page: Page): Promise<void> {
    for (;;) {
      const port = await page.run(() => window.nextRequestedPort())
      if (port === undefined) return
      await page.run((port, place) => window.resolveProxyPort(port, place), port, await proxyPortOf(port))
    }
  }

  return {
    script: `(${queuePortLookups})();(${routeThroughRelay})()`,
    // The loop rejects when the page closes.
    attach: (page) => void serveLookups(page).catch(() => undefined),
    close: async () => void (await forwarder.terminate()),
  }
}

/** Runs in the page: queues port lookups until the benchmark reads them. */
function queuePortLookups(): void {
  const { readable, writable } = new TransformStream<number, number>()
  const [asked, asking] = [readable.getReader(), writable.getWriter()]
  const proxyPorts = new Map<number, PromiseWithResolvers<number>>()
  window.nextRequestedPort = async () => (await asked.read()).value
  window.resolveProxyPort = (port, place) => proxyPorts.get(port)?.resolve(place)
  window.portOnTheWay = (port) => {
    const place = proxyPorts.get(port) ?? Promise.withResolvers<number>()
    if (!proxyPorts.has(port)) void asking.write(port)
    proxyPorts.set(port, place)
    return place.promise
  }
}
