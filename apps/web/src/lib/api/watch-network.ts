import type { MonitoredConnectivity } from '@sallyport/client/create-connectivity'

/** Tells `connectivity` what the browser reports: a lost network, one that is back, and code that could not be fetched. */
export function watchNetwork(connectivity: MonitoredConnectivity): void {
  addEventListener('offline', connectivity.suspect)
  addEventListener('online', connectivity.retryNow)
  addEventListener('vite:preloadError', () => void connectivity.verify())
  if (!navigator.onLine) connectivity.suspect()
}
