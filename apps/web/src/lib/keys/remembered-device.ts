import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createDeviceKey, fromBase64url, openDeviceUnlock, sealDeviceUnlock } from '@sallyport/crypto'
import { deleteStoredDevices, readStoredDevice, writeStoredDevice } from './device-store.ts'
import { encodeKeys, isWrongKey } from './password-keys.ts'
import type { EncodedKeys } from './stored-keys.ts'

/** Serializes the tabs with a lock, because the server stores one share for all of them. */
const withDeviceLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request('sallyport-device', work)

/** Remembers this device, so that it unlocks without a password; does nothing if it is remembered already. */
export const rememberDevice = (call: Call, keys: EncodedKeys): Promise<void> =>
  withDeviceLock(async () => {
    if (!(await readStoredDevice(keys.userId))) await storeSealedKeys(call, keys)
  })

/** Remembers this device again after the keys have changed, which invalidated what was stored. */
export const refreshRememberedDevice = (call: Call, keys: EncodedKeys): Promise<void> =>
  withDeviceLock(() => storeSealedKeys(call, keys))

async function storeSealedKeys(call: Call, { userId, masterKey, accountKey }: EncodedKeys): Promise<void> {
  const { deviceId, share } = await call(accountKeys.rememberDevice, {})
  const deviceKey = await createDeviceKey()
  const blob = await sealDeviceUnlock({
    deviceKey,
    deviceId,
    share: fromBase64url(share),
    masterKey: fromBase64url(masterKey),
    accountKey: fromBase64url(accountKey),
  })
  await writeStoredDevice({ userId, deviceId, deviceKey, blob })
}

/** Unlocks the keys of a remembered device with the server's share; null if the device is not remembered (any more). */
export async function openRememberedDevice(call: Call, userId: string): Promise<EncodedKeys | null> {
  const device = await readStoredDevice(userId)
  if (!device) return null
  try {
    const { share, deviceId } = await call(accountKeys.deviceShare, {})
    const { deviceKey, blob } = device
    const keys = await openDeviceUnlock({ deviceKey, blob, deviceId, share: fromBase64url(share) })
    return encodeKeys({ userId, masterKey: keys.masterKey.slice(), accountKey: keys.accountKey.slice() })
  } catch (error) {
    const isInvalid = isWrongKey(error) || (error instanceof ApiError && error.status === 404)
    if (isInvalid) await deleteStoredDevices()
    return null
  }
}
