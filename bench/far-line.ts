import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { takeTheWayAround } from '../e2e/support/ways-around.ts'
import type { Page } from './devtools.ts'

declare global {
  interface Window {
    nextAskedPort(): Promise<number | undefined>
    tellPlace(port: number, place: number): void
  }
}

/** A line between two browsers that is longer than it is. */
export interface FarLine {
  /** What the pages of both browsers have to run before all else. */
  readonly script: string
  /** Tells a page that runs the script which way its packets go, for as long as it is open. */
  lead(page: Page): void
  close(): Promise<void>
}

/**
 * Holds every packet back for so many milliseconds, and loses none. Packets pass a thread of their own: whatever else is
 * measured meanwhile must not hold them up.
 */
export function openFarLine(delayMs: number): FarLine {
  const forwarder = new Worker(new URL('./far-line.thread.ts', import.meta.url), { workerData: delayMs })
  let asking: Promise<unknown> = Promise.resolve()

  function placeOf(port: number): Promise<number> {
    const answer = asking.then(async () => {
      const answered = once(forwarder, 'message')
      forwarder.postMessage(port)
      return Number((await answered)[0])
    })
    asking = answer
    return answer
  }

  async function answer(page: Page): Promise<void> {
    for (;;) {
      const port = await page.run(() => window.nextAskedPort())
      if (port === undefined) return
      await page.run((port, place) => window.tellPlace(port, place), port, await placeOf(port))
    }
  }

  return {
    script: `(${askForPlaces})();(${takeTheWayAround})()`,
    // Ends with the page.
    lead: (page) => void answer(page).catch(() => undefined),
    close: async () => void (await forwarder.terminate()),
  }
}

/** Runs in the page: what it asks for waits until somebody looks. */
function askForPlaces(): void {
  const { readable, writable } = new TransformStream<number, number>()
  const [asked, asking] = [readable.getReader(), writable.getWriter()]
  const places = new Map<number, PromiseWithResolvers<number>>()
  window.nextAskedPort = async () => (await asked.read()).value
  window.tellPlace = (port, place) => places.get(port)?.resolve(place)
  window.portOnTheWay = (port) => {
    const place = places.get(port) ?? Promise.withResolvers<number>()
    if (!places.has(port)) void asking.write(port)
    places.set(port, place)
    return place.promise
  }
}
