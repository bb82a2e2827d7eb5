interface FairQueueLimits {
  /** Tasks that may wait, of all owners together. */
  readonly length: number
  readonly lengthPerOwner: number
}

/** How many owners are remembered after their last task, so that a returning one does not count as new. */
const rememberedOwners = 1000

/**
 * A bounded queue that serves the owner that was served longest ago, and one that was never served first of all. When
 * it is full, the newest task of the owner with the most waiting tasks is displaced.
 */
export function createFairQueue<Task>({ length, lengthPerOwner }: FairQueueLimits) {
  const waiting = new Map<string, Task[]>()
  /** The turn in which an owner was served last, oldest first. */
  const servedIn = new Map<string, number>()
  let size = 0
  let turn = 0

  const turnOf = (owner: string): number => servedIn.get(owner) ?? 0
  const countOf = (owner: string): number => waiting.get(owner)?.length ?? 0

  function remember(owner: string): void {
    turn += 1
    servedIn.delete(owner)
    servedIn.set(owner, turn)
    const [oldest] = servedIn.keys()
    if (servedIn.size > rememberedOwners && oldest !== undefined) servedIn.delete(oldest)
  }

  function take(owner: string, end: 'oldest' | 'newest'): Task | undefined {
    const tasks = waiting.get(owner) ?? []
    const task = end === 'oldest' ? tasks.shift() : tasks.pop()
    if (tasks.length === 0) waiting.delete(owner)
    size -= 1
    return task
  }

  /** With the most waiting tasks, and of several the one that was served last. */
  function busiestOwner(): string {
    return [...waiting.keys()].reduce((most, owner) => {
      const difference = countOf(owner) - countOf(most) || turnOf(owner) - turnOf(most)
      return difference >= 0 ? owner : most
    })
  }

  return {
    size: (): number => size,

    /** Queues the task and answers the one that it displaced, which may be itself; undefined for none. */
    push(owner: string, task: Task): Task | undefined {
      if (countOf(owner) >= lengthPerOwner) return task
      waiting.set(owner, [...(waiting.get(owner) ?? []), task])
      size += 1
      return size > length ? take(busiestOwner(), 'newest') : undefined
    },

    /** Takes the task that is served next; undefined when none waits. */
    shift(): Task | undefined {
      if (size === 0) return undefined
      const next = [...waiting.keys()].reduce((first, owner) => (turnOf(owner) < turnOf(first) ? owner : first))
      remember(next)
      return take(next, 'oldest')
    },
  }
}

export type FairQueue<Task> = ReturnType<typeof createFairQueue<Task>>
