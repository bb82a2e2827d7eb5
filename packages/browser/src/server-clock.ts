import { createServerClock } from '@sallyport/client/server-clock'

/** The time of the server that serves this page. Everything that expires is shown by it, and nothing by the device's clock. */
export const serverClock = createServerClock({
  deviceNow: () => Date.now(),
  elapsed: () => performance.now(),
  ask: () => void askServer(),
})

/** Like `fetch`, for uncached requests to the page's own server: their answers tell its time. */
export const fetchTimed: typeof fetch = async (input, init) => {
  const sentAt = performance.now()
  const response = await fetch(input, init)
  serverClock.observe(response.headers, sentAt)
  return response
}

/** Whether the server answers. If it does, its time is known. */
export const askServer = (): Promise<boolean> =>
  fetchTimed('/api/status', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
