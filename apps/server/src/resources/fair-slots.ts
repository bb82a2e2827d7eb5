interface Slot {
  readonly caller: string
  readonly evict: () => void
}

/**
 * A bounded number of slots for the whole process. Once all are taken, a caller with fewer slots than another gets the
 * newest one of the caller who holds the most; everyone else is refused.
 */
export function createFairSlots(most: number, onFull: () => void = () => undefined) {
  const slotsOf = new Map<string, Set<Slot>>()
  let taken = 0

  function release(slot: Slot): boolean {
    const slots = slotsOf.get(slot.caller)
    if (!slots?.delete(slot)) return false
    if (slots.size === 0) slotsOf.delete(slot.caller)
    taken -= 1
    return true
  }

  function makeRoomFor(caller: string): boolean {
    onFull()
    let heaviest: Set<Slot> | null = null
    for (const slots of slotsOf.values()) if (slots.size > (heaviest?.size ?? 0)) heaviest = slots
    // Taking a slot from an equal would only exchange one caller for the other.
    if (!heaviest || heaviest.size <= (slotsOf.get(caller)?.size ?? 0) + 1) return false
    const newest = [...heaviest].at(-1)
    if (newest && release(newest)) newest.evict()
    return taken < most
  }

  return {
    /** Takes a slot, and answers how to release it; null while there is none for this caller. */
    acquire(caller: string, evict: () => void): (() => void) | null {
      if (taken >= most && !makeRoomFor(caller)) return null
      const slot: Slot = { caller, evict }
      slotsOf.set(caller, (slotsOf.get(caller) ?? new Set()).add(slot))
      taken += 1
      return () => void release(slot)
    },
    taken: (): number => taken,
  }
}
