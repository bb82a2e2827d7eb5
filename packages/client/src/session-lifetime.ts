import { authSessionLimits } from '@sallyport/contract/limits'
import * as z from 'zod/mini'
import type { Clock } from './clock.ts'

/** How long an auth session lasts, as a browser stores it. All times are epoch milliseconds. */
export const SessionLifetime = z.object({
  rememberDevice: z.boolean(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  lastActivityMs: z.number(),
})
export type SessionLifetime = Readonly<z.output<typeof SessionLifetime>>

export function createLifetime(rememberDevice: boolean, now: number): SessionLifetime {
  const expiresAtMs = now + (rememberDevice ? authSessionLimits.rememberedMs : authSessionLimits.shortMs)
  return { rememberDevice, createdAtMs: now, expiresAtMs, lastActivityMs: now }
}

/** Extends a lifetime on activity: only a remembered device gets more time, and never beyond the absolute limit. */
export function extendLifetime(lifetime: SessionLifetime, now: number): SessionLifetime {
  if (isLifetimeOver(lifetime, now)) return lifetime
  if (!lifetime.rememberDevice) return { ...lifetime, lastActivityMs: now }
  const latest = lifetime.createdAtMs + authSessionLimits.absoluteMs
  return { ...lifetime, lastActivityMs: now, expiresAtMs: Math.min(now + authSessionLimits.rememberedMs, latest) }
}

/** True from the exact millisecond of the expiry. */
export const isLifetimeOver = ({ expiresAtMs }: SessionLifetime, now: number): boolean => now >= expiresAtMs

interface LifetimeWatch {
  /** Returns null while no user is signed in. */
  readonly read: () => SessionLifetime | null
  readonly onExpired: () => void
  readonly clock: Clock
  /** Stops the checks. */
  readonly signal: AbortSignal
}

/** Checks the lifetime every minute and calls `onExpired` each time it is over. */
export async function watchLifetime({ read, onExpired, clock, signal }: LifetimeWatch): Promise<void> {
  try {
    for (;;) {
      await clock.wait(authSessionLimits.checkEveryMs, signal)
      const lifetime = read()
      if (lifetime && isLifetimeOver(lifetime, clock.now())) onExpired()
    }
  } catch {
    // The signal ended the wait.
  }
}
