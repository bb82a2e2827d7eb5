import type { SignalTold } from '@sallyport/contract/portals'
import type { Word } from './kept.rules.ts'
import type { Side } from './room.rules.ts'

/** One open signalling socket. */
export interface Line {
  readonly id: string
  /** The block of addresses it came from, for limits only. */
  readonly address: string
  /** Null for a visitor. */
  readonly userId: string | null
  readonly tell: (message: SignalTold) => void
  /** Has its device come back by another line. */
  readonly renew: () => void
}

export interface Place {
  readonly code: string
  readonly side: Side
}

/** Which lines of this node sit where. */
export function createPlaces(onMissed: (address: string) => void) {
  const sitting = new Map<string, Place & { readonly line: Line }>()

  return {
    of: (line: Line): Place | null => sitting.get(line.id) ?? null,
    sit: (line: Line, place: Place): void => void sitting.set(line.id, { ...place, line }),
    leave: (line: Line): void => void sitting.delete(line.id),
    renewAll(): void {
      for (const { line } of [...sitting.values()]) line.renew()
    },
    /** Tells a line what is for it, unless it is gone meanwhile. */
    deliver({ to, messages, isOver, isMissed }: Word): void {
      const line = sitting.get(to.line)?.line
      if (isOver) sitting.delete(to.line)
      for (const message of messages) line?.tell(message)
      if (isMissed && line) onMissed(line.address)
    },
  }
}

export type Places = ReturnType<typeof createPlaces>
