import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { authSessionLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { Job } from '../../../jobs.ts'
import { type Revocation, revokedTopic } from '../../../platform/events/publish.ts'
import type { Account } from '../../../platform/http/caller.ts'
import type { AuthProvider } from '../../auth/provider.ts'
import type { DeviceSharesStore } from './device-shares.store.ts'

type DeviceSharesCaller = Pick<Account, 'userId' | 'authSessionId'>

interface DeviceSharesDeps extends Pick<ServerContext, 'bus' | 'now' | 'onError'> {
  readonly store: DeviceSharesStore
  readonly provider: Pick<AuthProvider, 'listAuthSessions'>
}

const shareBytes = 32

/**
 * The server's share of the key that unlocks a remembered device. It is deleted with its auth session: at once when the
 * revocation is published, otherwise after the maximum lifetime of an auth session.
 */
export function createDeviceShares({ store, provider, bus, now, onError }: DeviceSharesDeps) {
  bus.subscribe<Revocation>(revokedTopic, ({ userId, signInId }) => void store.remove(userId, signInId).catch(onError))

  return {
    async create(caller: DeviceSharesCaller): Promise<{ deviceId: string; share: string }> {
      const signIns = await provider.listAuthSessions(caller.userId)
      const isRemembered = signIns.some(
        ({ id, sessionLifetime }) => id === caller.authSessionId && sessionLifetime === 'remember',
      )
      if (!isRemembered) throw apiError('FORBIDDEN')
      const created = { deviceId: randomUUIDv7(), share: randomBytes(shareBytes).toString('base64url') }
      await store.save(caller, created, now())
      return created
    },

    async find(caller: DeviceSharesCaller): Promise<{ deviceId: string; share: string }> {
      const found = await store.find(caller)
      if (!found) throw apiError('DEVICE_NOT_REMEMBERED')
      return found
    },

    remove: ({ userId, authSessionId }: DeviceSharesCaller): Promise<void> => store.remove(userId, authSessionId),

    cleanupJob: {
      name: 'old device shares',
      needsRightTime: true,
      everyMs: sweepLimits.everyMs,
      run: () => store.removeCreatedBefore(now() - authSessionLimits.absoluteMs),
    } satisfies Job,
  }
}

export type DeviceShares = ReturnType<typeof createDeviceShares>
