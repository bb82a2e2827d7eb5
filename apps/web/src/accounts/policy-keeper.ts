import { systemClock } from '@sallyport/client/clock'
import { isPolicyOver, SignInPolicy, startPolicy, touchPolicy, watchPolicy } from '@sallyport/client/sign-in-policy'
import { signInLimits } from '@sallyport/contract/limits'
import * as z from 'zod/mini'

/** How long the sign-in of this browser lasts, kept where all its tabs see it. */
export interface PolicyKeeper {
  readonly start: (rememberDevice: boolean) => void
  readonly isKept: () => boolean
  readonly isOver: () => boolean
  /** True while somebody is signed in who asked this device to be remembered. */
  readonly isRemembered: () => boolean
  /** When the sign-in ends, in epoch milliseconds; null while nobody is signed in. */
  readonly endsAt: () => number | null
  /** Activity would still put the end off. */
  readonly canSlide: () => boolean
  readonly forget: () => void
  /** Counts activity, and calls back once the sign-in is over, until the returned function is called. */
  readonly watch: (onOver: () => void) => () => void
}

interface Deps {
  readonly storage: Storage
  readonly now: () => number
}

const storageName = 'sessionPolicy'
const activities = ['pointerdown', 'keydown', 'visibilitychange'] as const
/** Typing must not write to the storage with each key. */
const restMs = 1000

export function createPolicyKeeper({ storage, now }: Deps): PolicyKeeper {
  function read(): SignInPolicy | null {
    const parsed = z.safeParse(SignInPolicy, parseJson(storage.getItem(storageName)))
    return parsed.success ? parsed.data : null
  }

  function write(policy: SignInPolicy): void {
    storage.setItem(storageName, JSON.stringify(policy))
  }

  function countActivity(): void {
    const policy = read()
    if (policy && now() - policy.lastActivityMs >= restMs) write(touchPolicy(policy, now()))
  }

  function isOver(): boolean {
    const policy = read()
    return policy !== null && isPolicyOver(policy, now())
  }

  return {
    start: (rememberDevice) => write(startPolicy(rememberDevice, now())),
    isKept: () => read() !== null,
    isOver,
    isRemembered: () => read()?.rememberDevice === true,
    endsAt: () => read()?.expiresAtMs ?? null,
    canSlide() {
      const policy = read()
      return policy !== null && touchPolicy(policy, now()).expiresAtMs > now() + signInLimits.warnBeforeMs
    },
    forget: () => storage.removeItem(storageName),
    watch(onOver) {
      // A browser whose policy was lost gets the shorter time, counted from now.
      if (read() === null) write(startPolicy(false, now()))
      const { signal, abort } = createEnd()
      function act(): void {
        if (document.visibilityState === 'hidden') return
        if (isOver()) onOver()
        else countActivity()
      }
      for (const activity of activities) document.addEventListener(activity, act, { signal, passive: true })
      void watchPolicy({ read, onOver, clock: { ...systemClock, now }, signal })
      return abort
    },
  }
}

function createEnd() {
  const ending = new AbortController()
  return { signal: ending.signal, abort: () => ending.abort() }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
