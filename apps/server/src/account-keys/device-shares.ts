import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { signInLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { AuthProvider } from '../auth/provider.ts'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import type { Job } from '../jobs/scheduler.ts'
import { type Revocation, revokedTopic } from '../live/announce.ts'
import type { DeviceSharesStore } from './device-shares.store.ts'

interface Caller {
  readonly userId: string
  readonly signInId: string
}

interface Parts {
  readonly store: DeviceSharesStore
  readonly provider: Pick<AuthProvider, 'listSignIns'>
  readonly bus: Bus
  readonly now: () => number
  readonly onError: (error: Error) => void
}

const shareBytes = 32

/**
 * The server's share of what unlocks a remembered device. It goes with its sign-in: at once when that is ended, and
 * within the longest time a sign-in can last where nobody told of the end.
 */
export function createDeviceShares({ store, provider, bus, now, onError }: Parts) {
  bus.subscribe<Revocation>(revokedTopic, (revocation) => void store.remove(revocation).catch(onError))

  return {
    async make(caller: Caller): Promise<{ deviceId: string; share: string }> {
      const signIns = await provider.listSignIns(caller.userId)
      const isRemembered = signIns.some(({ id, policy }) => id === caller.signInId && policy === 'remember')
      if (!isRemembered) throw refuse('FORBIDDEN')
      const made = { deviceId: randomUUIDv7(), share: randomBytes(shareBytes).toString('base64url') }
      await store.save(caller, made, now())
      return made
    },

    async find(caller: Caller): Promise<{ deviceId: string; share: string }> {
      const found = await store.find(caller)
      if (!found) throw refuse('DEVICE_NOT_REMEMBERED')
      return found
    },

    remove: ({ userId, signInId }: Caller): Promise<void> => store.remove({ userId, signInId }),

    forgetOld: {
      name: 'old device shares',
      everyMs: sweepLimits.everyMs,
      run: () => store.removeMadeBefore(now() - signInLimits.absoluteMs),
    } satisfies Job,
  }
}

export type DeviceShares = ReturnType<typeof createDeviceShares>
