import { refuse } from '../errors.ts'

interface Passage {
  readonly controller: AbortController
  readonly done: Promise<void>
}

interface Gate {
  readonly chunks: Map<number, Passage>
  alone: Promise<void> | null
  visitors: number
}

/** How long the end of an upload waits for its chunks under way. */
const longestWaitMs = 30_000

/**
 * Orders what happens to one upload in this process. Chunks of different indexes pass side by side. A chunk that comes
 * again ends its predecessor, and waits until nothing of that one moves any more. Completing and cancelling are alone.
 */
export function createUploadGates() {
  const gates = new Map<string, Gate>()

  async function enter<Result>(key: string, pass: (gate: Gate) => Promise<Result>): Promise<Result> {
    const gate = gates.get(key) ?? { chunks: new Map<number, Passage>(), alone: null, visitors: 0 }
    gates.set(key, gate)
    gate.visitors += 1
    try {
      return await pass(gate)
    } finally {
      gate.visitors -= 1
      if (gate.visitors === 0) gates.delete(key)
    }
  }

  return {
    /** Runs the work of one chunk; its signal says that a successor has come or that the upload is cancelled. */
    passChunk<Result>(key: string, index: number, work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
      return enter(key, async (gate) => {
        for (let before = gate.chunks.get(index); gate.alone || before; before = gate.chunks.get(index)) {
          before?.controller.abort(refuse('CONFLICT'))
          await (gate.alone ?? before?.done)
        }
        const controller = new AbortController()
        const done = Promise.withResolvers<void>()
        gate.chunks.set(index, { controller, done: done.promise })
        try {
          return await work(controller.signal)
        } finally {
          gate.chunks.delete(index)
          done.resolve()
        }
      })
    },

    /** Runs the work while no chunk is under way. Refuses with CONFLICT when one does not come to its end. */
    passAlone<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      return enter(key, (gate) => alone(gate, work))
    },

    /** The same, but ends the chunks under way. */
    passEnding<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      return enter(key, (gate) => {
        for (const { controller } of gate.chunks.values()) controller.abort(refuse('UPLOAD_NOT_FOUND'))
        return alone(gate, work)
      })
    },
  }
}

async function alone<Result>(gate: Gate, work: () => Promise<Result>): Promise<Result> {
  while (gate.alone) await gate.alone
  const done = Promise.withResolvers<void>()
  gate.alone = done.promise
  try {
    await within(longestWaitMs, Promise.all([...gate.chunks.values()].map((chunk) => chunk.done)))
    return await work()
  } finally {
    gate.alone = null
    done.resolve()
  }
}

async function within(milliseconds: number, waiting: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(refuse('CONFLICT')), milliseconds)
  try {
    await Promise.race([waiting, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
