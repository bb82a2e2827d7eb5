import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createDeviceKey, fromBase64url, openDeviceUnlock, sealDeviceUnlock } from '@sallyport/crypto'
import { forgetDevices, readDevice, writeDevice } from './device-store.ts'
import type { KeptKeys } from './kept-keys.ts'
import { isWrongKey, keysAsText } from './password-keys.ts'

/** Tabs take turns, since the server keeps one share for all of them. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request('sallyport-device', work)

/** Has a remembered device open without a password from now on; does nothing where it does already. */
export const keepDevice = (call: Call, keys: KeptKeys): Promise<void> =>
  inTurn(async () => {
    if (!(await readDevice(keys.userId))) await seal(call, keys)
  })

/** The same after the keys have changed, which made what was kept before worthless. */
export const renewDevice = (call: Call, keys: KeptKeys): Promise<void> => inTurn(() => seal(call, keys))

async function seal(call: Call, { userId, masterKey, accountKey }: KeptKeys): Promise<void> {
  const { deviceId, share } = await call(accountKeys.rememberDevice, {})
  const deviceKey = await createDeviceKey()
  const blob = await sealDeviceUnlock({
    deviceKey,
    deviceId,
    share: fromBase64url(share),
    masterKey: fromBase64url(masterKey),
    accountKey: fromBase64url(accountKey),
  })
  await writeDevice({ userId, deviceId, deviceKey, blob })
}

/** The keys that a remembered device opens with the server's share; null when it is not remembered, or not any more. */
export async function openDevice(call: Call, userId: string): Promise<KeptKeys | null> {
  const device = await readDevice(userId)
  if (!device) return null
  try {
    const { share, deviceId } = await call(accountKeys.deviceShare, {})
    const { deviceKey, blob } = device
    const keys = await openDeviceUnlock({ deviceKey, blob, deviceId, share: fromBase64url(share) })
    return keysAsText({ userId, masterKey: keys.masterKey.slice(), accountKey: keys.accountKey.slice() })
  } catch (error) {
    const isWorthless = isWrongKey(error) || (error instanceof ApiError && error.status === 404)
    if (isWorthless) await forgetDevices()
    return null
  }
}
