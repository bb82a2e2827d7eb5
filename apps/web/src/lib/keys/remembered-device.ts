import type { Call } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import { type Connectivity, isUnanswered, waitIfAway } from '@sallyport/client/connectivity'
import { ApiError, transientStatuses } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createDeviceKey, fromBase64url, openDeviceUnlock, sealDeviceUnlock } from '@sallyport/crypto'
import { deleteStoredDevice, readStoredDevice, writeStoredDevice } from './device-store.ts'
import type { KeyRing, OpenDeviceOptions } from './key-ring.ts'
import { encodeKeys, isWrongKey } from './password-keys.ts'
import type { EncodedKeys } from './stored-keys.ts'

const firstPauseMs = 500
const maxPauseMs = 8000
const maxAttempts = 5

/** Serializes the tabs with a lock, because the server stores one share for all of them. */
const withDeviceLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request('sallyport-device', work)

interface RememberDeviceDeps {
  readonly call: Call
  readonly keyRing: Pick<KeyRing, 'keysOf'>
  readonly sessionLifetime: { readonly isRemembered: () => boolean }
}

/** Remembers this device, so that it unlocks without a password; does nothing if it is remembered already. */
export const rememberDevice = (deps: RememberDeviceDeps, keys: EncodedKeys): Promise<void> =>
  withDeviceLock(async () => {
    if (!(await readStoredDevice(keys.userId))) await storeSealedKeys(deps, keys)
  })

/** Remembers this device again after the keys have changed, which invalidated what was stored. */
export const refreshRememberedDevice = (deps: RememberDeviceDeps, keys: EncodedKeys): Promise<void> =>
  withDeviceLock(() => storeSealedKeys(deps, keys))

async function storeSealedKeys(
  { call, keyRing, sessionLifetime }: RememberDeviceDeps,
  { userId, masterKey, accountKey }: EncodedKeys,
): Promise<void> {
  const { deviceId, share } = await call(accountKeys.rememberDevice, {})
  const deviceKey = await createDeviceKey()
  const blob = await sealDeviceUnlock({
    deviceKey,
    deviceId,
    share: fromBase64url(share),
    masterKey: fromBase64url(masterKey),
    accountKey: fromBase64url(accountKey),
  })
  // The user may have signed out meanwhile, here or in another tab, which has deleted what was stored.
  const isSignedOut = !sessionLifetime.isRemembered() || keyRing.keysOf(userId) === null
  if (!isSignedOut) await writeStoredDevice({ userId, deviceId, deviceKey, blob })
}

/**
 * Unlocks the keys of a remembered device with the server's share; null if the device is not remembered (any more).
 * Rejects if the server could not be asked, and keeps the device.
 */
export async function openRememberedDevice(call: Call, userId: string): Promise<EncodedKeys | null> {
  const device = await readStoredDevice(userId)
  if (!device) return null
  try {
    const { share, deviceId } = await call(accountKeys.deviceShare, {})
    const { deviceKey, blob } = device
    const keys = await openDeviceUnlock({ deviceKey, blob, deviceId, share: fromBase64url(share) })
    return encodeKeys({ userId, masterKey: keys.masterKey.slice(), accountKey: keys.accountKey.slice() })
  } catch (error) {
    const isNotRemembered = error instanceof ApiError && error.code === 'DEVICE_NOT_REMEMBERED'
    if (!isNotRemembered && !isWrongKey(error)) throw error
    await deleteStoredDevice(userId)
    return null
  }
}

interface OpenDeviceDeps {
  readonly call: Call
  readonly connectivity: Connectivity
  readonly clock: Clock
}

/**
 * Does the same, and repeats it while the server is away. A server that is there and does not answer is asked
 * `maxAttempts` times; then the user can enter the password.
 */
export async function openDeviceWhenAnswered(
  { call, connectivity, clock }: OpenDeviceDeps,
  userId: string,
  { signal, onDelayed }: OpenDeviceOptions,
): Promise<EncodedKeys | null> {
  let attempts = 0
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await openRememberedDevice(call, userId)
    } catch (error) {
      attempts += 1
      if (attempts === maxAttempts || !mayBeAnsweredLater(error)) throw error
      onDelayed()
      if (await waitIfAway(connectivity, error, signal)) attempts = 0
      else await clock.wait(pauseMs * (0.5 + Math.random() / 2), signal)
    }
  }
}

const mayBeAnsweredLater = (error: unknown): boolean =>
  isUnanswered(error) || (error instanceof ApiError && transientStatuses.has(error.status))
