import type { IceServer, PassedOn } from '@sallyport/contract/portals'
import type { Link } from '../channel.ts'

export type PeerSignal = Extract<PassedOn, { data: unknown }>

/** One attempt at a direct line. */
export interface DirectAttempt {
  /** Settles once all channels are open; rejects when there is no direct way. */
  readonly link: Promise<Link>
  hear(signal: PeerSignal): void
  /** The devices can tell each other something again; an interrupted line is restarted once more. */
  tryAgain(): void
  close(): void
}

export type OpenDirect = (options: {
  readonly isCreator: boolean
  /** Whether an interrupted line may be offered another way, which devices of the basic protocol do not know. */
  readonly mayRestart: boolean
  readonly iceServers: readonly IceServer[]
  readonly signal: (message: PeerSignal) => void
}) => DirectAttempt

/** Which restart of its line an offer or an answer belongs to, counted from 1; 0 for the beginning. */
export function restartIn({ data }: PeerSignal): number {
  const { restart } = (data ?? {}) as { restart?: unknown }
  return typeof restart === 'number' ? restart : 0
}
