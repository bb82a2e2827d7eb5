interface Slot {
  readonly caller: string
  readonly evict: () => void
}

/**
 * A process-wide limit of slots. When all are in use, a caller with fewer slots than another evicts the newest slot of
 * the caller with the most; every other request fails.
 */
export function createFairSlots(capacity: number, onFull: () => void = () => undefined) {
  const slotsOf = new Map<string, Set<Slot>>()
  let used = 0

  function release(slot: Slot): boolean {
    const slots = slotsOf.get(slot.caller)
    if (!slots?.delete(slot)) return false
    if (slots.size === 0) slotsOf.delete(slot.caller)
    used -= 1
    return true
  }

  function evictFor(caller: string): boolean {
    onFull()
    let heaviest: Set<Slot> | null = null
    for (const slots of slotsOf.values()) if (slots.size > (heaviest?.size ?? 0)) heaviest = slots
    // Evicting a slot of an equal caller would only swap the two.
    if (!heaviest || heaviest.size <= (slotsOf.get(caller)?.size ?? 0) + 1) return false
    const newest = [...heaviest].at(-1)
    if (newest && release(newest)) newest.evict()
    return used < capacity
  }

  return {
    /** Acquires a slot and returns its release function; null if no slot is available for this caller. */
    acquire(caller: string, evict: () => void): (() => void) | null {
      if (used >= capacity && !evictFor(caller)) return null
      const slot: Slot = { caller, evict }
      slotsOf.set(caller, (slotsOf.get(caller) ?? new Set()).add(slot))
      used += 1
      return () => void release(slot)
    },
    inUse: (): number => used,
  }
}
