import { signInLimits } from '@sallyport/contract/limits'
import * as z from 'zod/mini'
import type { Clock } from './clock.ts'

/** How long a sign-in lasts, as a browser keeps it. All times are epoch milliseconds. */
export const SignInPolicy = z.object({
  rememberDevice: z.boolean(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  lastActivityMs: z.number(),
})
export type SignInPolicy = Readonly<z.output<typeof SignInPolicy>>

export function startPolicy(rememberDevice: boolean, now: number): SignInPolicy {
  const expiresAtMs = now + (rememberDevice ? signInLimits.rememberedMs : signInLimits.shortMs)
  return { rememberDevice, createdAtMs: now, expiresAtMs, lastActivityMs: now }
}

/** What activity makes of a policy: only a remembered device gets more time, and never more than the absolute limit. */
export function touchPolicy(policy: SignInPolicy, now: number): SignInPolicy {
  if (isPolicyOver(policy, now)) return policy
  if (!policy.rememberDevice) return { ...policy, lastActivityMs: now }
  const latest = policy.createdAtMs + signInLimits.absoluteMs
  return { ...policy, lastActivityMs: now, expiresAtMs: Math.min(now + signInLimits.rememberedMs, latest) }
}

/** Over from the very millisecond it expires. */
export const isPolicyOver = ({ expiresAtMs }: SignInPolicy, now: number): boolean => now >= expiresAtMs

interface PolicyWatch {
  /** Null while nobody is signed in. */
  readonly read: () => SignInPolicy | null
  readonly onOver: () => void
  readonly clock: Clock
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/** Looks at the policy every minute and tells when it is over, each time it finds it so. */
export async function watchPolicy({ read, onOver, clock, signal }: PolicyWatch): Promise<void> {
  try {
    for (;;) {
      await clock.wait(signInLimits.checkEveryMs, signal)
      const policy = read()
      if (policy && isPolicyOver(policy, clock.now())) onOver()
    }
  } catch {
    // The signal ended the wait.
  }
}
