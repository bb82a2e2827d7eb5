interface FairQueueLimits {
  /** Maximum number of waiting tasks of all owners. */
  readonly length: number
  readonly lengthPerOwner: number
}

/** Number of owners remembered after their last task, so that a returning owner does not count as new. */
const rememberedOwners = 1000

/**
 * A bounded fair queue: serves the least recently served owner first, and new owners before all others. When it is
 * full, it drops the newest task of the owner with the most waiting tasks.
 */
export function createFairQueue<Task>({ length, lengthPerOwner }: FairQueueLimits) {
  const waiting = new Map<string, Task[]>()
  /** The sequence number of each owner's last task, oldest first. */
  const lastServed = new Map<string, number>()
  let size = 0
  let sequence = 0

  const lastServedOf = (owner: string): number => lastServed.get(owner) ?? 0
  const countOf = (owner: string): number => waiting.get(owner)?.length ?? 0

  function remember(owner: string): void {
    sequence += 1
    lastServed.delete(owner)
    lastServed.set(owner, sequence)
    const [oldest] = lastServed.keys()
    if (lastServed.size > rememberedOwners && oldest !== undefined) lastServed.delete(oldest)
  }

  function removeTask(owner: string, end: 'oldest' | 'newest'): Task | undefined {
    const tasks = waiting.get(owner) ?? []
    const task = end === 'oldest' ? tasks.shift() : tasks.pop()
    if (tasks.length === 0) waiting.delete(owner)
    size -= 1
    return task
  }

  /** The owner with the most waiting tasks; among equals, the most recently served. */
  function busiestOwner(): string {
    return [...waiting.keys()].reduce((busiest, owner) => {
      const difference = countOf(owner) - countOf(busiest) || lastServedOf(owner) - lastServedOf(busiest)
      return difference >= 0 ? owner : busiest
    })
  }

  return {
    size: (): number => size,

    /** Queues the task and returns the task that was dropped for it, which may be itself; undefined if none was. */
    push(owner: string, task: Task): Task | undefined {
      if (countOf(owner) >= lengthPerOwner) return task
      waiting.set(owner, [...(waiting.get(owner) ?? []), task])
      size += 1
      return size > length ? removeTask(busiestOwner(), 'newest') : undefined
    },

    /** Removes and returns the next task; undefined if the queue is empty. */
    shift(): Task | undefined {
      if (size === 0) return undefined
      const next = [...waiting.keys()].reduce((first, owner) =>
        lastServedOf(owner) < lastServedOf(first) ? owner : first,
      )
      remember(next)
      return removeTask(next, 'oldest')
    },
  }
}

export type FairQueue<Task> = ReturnType<typeof createFairQueue<Task>>
