import { systemClock } from '@sallyport/client/clock'
import {
  createLifetime,
  extendLifetime,
  isLifetimeOver,
  SessionLifetime,
  watchLifetime,
} from '@sallyport/client/session-lifetime'
import { authSessionLimits } from '@sallyport/contract/limits'
import * as z from 'zod/mini'

/** The lifetime of this browser's auth session, stored where all its tabs can read it. */
export interface SessionLifetimeStore {
  readonly start: (rememberDevice: boolean) => void
  readonly isStored: () => boolean
  readonly isExpired: () => boolean
  /** True while a user is signed in who chose to be remembered on this device. */
  readonly isRemembered: () => boolean
  /** When the auth session ends, in epoch milliseconds; null while no user is signed in. */
  readonly endsAt: () => number | null
  /** Whether activity would still extend the lifetime. */
  readonly canExtend: () => boolean
  readonly clear: () => void
  /** Records activity and calls `onExpired` once the lifetime is exceeded, until the returned function is called. */
  readonly watch: (onExpired: () => void) => () => void
}

interface SessionLifetimeStoreDeps {
  readonly storage: Storage
  /** The server's time, as far as it is known. */
  readonly now: () => number
  /** Whether it is known; until then nothing expires. */
  readonly isKnown?: () => boolean
  /** A monotonic clock in milliseconds. */
  readonly elapsed?: () => number
}

const storageKey = 'sessionPolicy'
const activityEvents = ['pointerdown', 'keydown', 'visibilitychange'] as const
/** Throttle: typing must not write to the storage on each key press. */
const writeIntervalMs = 1000

export function createSessionLifetimeStore(deps: SessionLifetimeStoreDeps): SessionLifetimeStore {
  const { storage, isKnown = () => true, elapsed = () => performance.now() } = deps
  /** The latest known time minus `elapsed`. */
  let latestOffset = Number.NEGATIVE_INFINITY

  /** The server's time, which never goes back: no answer can prolong a lifetime while the page is open. */
  function now(): number {
    if (!isKnown()) return deps.now()
    latestOffset = Math.max(latestOffset, deps.now() - elapsed())
    return Math.floor(latestOffset + elapsed())
  }

  function read(): SessionLifetime | null {
    const parsed = z.safeParse(SessionLifetime, parseJson(storage.getItem(storageKey)))
    return parsed.success ? parsed.data : null
  }

  function write(lifetime: SessionLifetime): void {
    storage.setItem(storageKey, JSON.stringify(lifetime))
  }

  function recordActivity(): void {
    const lifetime = read()
    if (lifetime && now() - lifetime.lastActivityMs >= writeIntervalMs) write(extendLifetime(lifetime, now()))
  }

  function isExpired(): boolean {
    const lifetime = read()
    // The device's clock must not end it.
    return lifetime !== null && isKnown() && isLifetimeOver(lifetime, now())
  }

  return {
    start: (rememberDevice) => write(createLifetime(rememberDevice, now())),
    isStored: () => read() !== null,
    isExpired,
    isRemembered: () => read()?.rememberDevice === true,
    endsAt: () => read()?.expiresAtMs ?? null,
    canExtend() {
      const lifetime = read()
      return lifetime !== null && extendLifetime(lifetime, now()).expiresAtMs > now() + authSessionLimits.warnBeforeMs
    },
    clear: () => storage.removeItem(storageKey),
    watch(onExpired) {
      // If the stored lifetime was lost, the short lifetime starts now.
      if (read() === null) write(createLifetime(false, now()))
      const { signal, abort } = createAbort()
      function handleActivity(): void {
        if (document.visibilityState === 'hidden') return
        if (isExpired()) onExpired()
        else recordActivity()
      }
      for (const event of activityEvents) document.addEventListener(event, handleActivity, { signal, passive: true })
      const checked = () => (isKnown() ? read() : null)
      void watchLifetime({ read: checked, onExpired, clock: { ...systemClock, now }, signal })
      return abort
    },
  }
}

function createAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
