import { serviceWorkerUrl as decryptWorkerUrl } from '#/service-worker/decrypt.worker.ts?service-worker'

/** Held by whoever is served by a service worker at the moment. */
export const servingLock = 'decrypt-worker-serving'

/**
 * Removes service workers of earlier builds, those that see more than downloads, and every cache; we keep none. Leaves
 * them alone while another tab is served. Never rejects.
 */
export async function clearOldWorkers(): Promise<void> {
  try {
    await navigator.locks.request(servingLock, { ifAvailable: true }, async (lock) => {
      if (lock) await Promise.all([unregisterOld(), clearCaches()])
    })
  } catch {
    // A browser that gives this page neither has nothing to clear.
  }
}

async function unregisterOld(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const old = registrations.filter((registration) => {
    const worker = registration.active ?? registration.waiting ?? registration.installing
    const { pathname, search } = new URL(worker?.scriptURL ?? '', location.href)
    return pathname + search !== decryptWorkerUrl || new URL(registration.scope).pathname === '/'
  })
  await Promise.all(old.map((registration) => registration.unregister()))
}

async function clearCaches(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}
