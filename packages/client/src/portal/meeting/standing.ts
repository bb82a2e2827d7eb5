import type { Clock } from '../../clock.ts'

/** What a browser says of its connection. */
type ConnectionWord = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'

interface Parts {
  readonly clock: Clock
  /** Looks for another way for the same connection; null for the device that only answers, or may not. */
  readonly restart: (() => void) | null
  readonly giveUp: () => void
}

/** So long a connection may be interrupted before a new one is made. */
const interruptedMs = 5000

/**
 * The steps of one connection: it stands; once interrupted it is restarted, and has some seconds to stand again by the
 * old way or another one; else it is given up.
 */
export function createStanding({ clock, restart, giveUp }: Parts) {
  let interrupted: AbortController | null = null

  function goOn(): void {
    interrupted?.abort()
    interrupted = null
  }

  function interrupt(): void {
    interrupted = new AbortController()
    clock.wait(interruptedMs, interrupted.signal).then(giveUp, () => undefined)
    restart?.()
  }

  return {
    hear(word: ConnectionWord): void {
      if (word === 'connected') goOn()
      if (word === 'disconnected' && !interrupted) interrupt()
      if (word !== 'failed' && word !== 'closed') return
      goOn()
      giveUp()
    },
    /** The devices can tell each other something again: what was said of another way may be lost. */
    tryAgain(): void {
      if (interrupted) restart?.()
    },
  }
}
