import { ignore } from '@sallyport/contract/ignore'
import { serviceWorkerUrl as decryptWorkerUrl } from './service-worker/decrypt.worker.ts?service-worker'

/** The lock that a page holds while it uses a service worker. */
export const servingLock = 'decrypt-worker-serving'

/**
 * Removes service workers of earlier builds, those with a wider scope than downloads, and every cache; the app uses no
 * caches. Does nothing while another tab uses a service worker. Never rejects.
 */
export async function removeOldServiceWorkers(): Promise<void> {
  try {
    await navigator.locks.request(servingLock, { ifAvailable: true }, async (lock) => {
      if (lock) await Promise.all([unregisterOld(), deleteCaches()])
    })
  } catch (error) {
    ignore(error, 'a browser without locks, service workers or caches has nothing to remove')
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

async function deleteCaches(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}
