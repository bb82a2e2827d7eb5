import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../errors.ts'
import { callerOf } from './address-blocks.ts'

interface UnsentAnswer {
  readonly caller: string
  readonly bytes: number
  readonly cut: () => void
}

/**
 * Bounds the bytes of answers that wait in memory for their readers. Over the bound, the newest answers of the caller
 * with the most waiting bytes are cut until the rest fits.
 */
export function createUnsentAnswers(most: number, onCut: () => void) {
  /** A set lists the newest last. */
  const answers = new Set<UnsentAnswer>()
  let total = 0

  function remove(answer: UnsentAnswer): void {
    if (answers.delete(answer)) total -= answer.bytes
  }

  return {
    /** Counts an answer until the returned function is called; null when this very answer does not fit. */
    add(answer: UnsentAnswer): (() => void) | null {
      answers.add(answer)
      total += answer.bytes
      while (total > most) {
        const newest = newestOfHeaviest(answers) ?? answer
        onCut()
        remove(newest)
        if (newest === answer) return null
        newest.cut()
      }
      return () => remove(answer)
    },
    bytes: (): number => total,
  }
}

type UnsentAnswers = ReturnType<typeof createUnsentAnswers>

function newestOfHeaviest(answers: Iterable<UnsentAnswer>): UnsentAnswer | null {
  const sums = new Map<string, number>()
  for (const { caller, bytes } of answers) sums.set(caller, (sums.get(caller) ?? 0) + bytes)
  const [heaviest] = [...sums].reduce((most, one) => (one[1] >= most[1] ? one : most), ['', 0] as const)
  let newest: UnsentAnswer | null = null
  for (const answer of answers) if (answer.caller === heaviest) newest = answer
  return newest
}

interface AnswerBounds {
  readonly limits: { readonly stalledReadMs: number; readonly countedAnswerBytes: number }
  readonly answers: UnsentAnswers
  readonly countCut: (cause: 'stalled-answer') => void
}

/**
 * Counts the answers of an application while their readers take them, and refuses with 503 what does not fit. Cuts every
 * answer, streams included, whose reader has taken nothing for a while. Slow readers are not cut.
 */
export function boundAnswers(app: FastifyInstance, { limits, answers, countCut }: AnswerBounds): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { raw: response } = reply
    const { socket } = request.raw
    if (response.destroyed || !(socket instanceof Socket)) return payload
    // Node's timer sees bytes that leave the process, also those within one long write.
    response.setTimeout(limits.stalledReadMs, () => {
      countCut('stalled-answer')
      socket.destroy()
    })
    // Node then sets its own timer for the idle connection, or the one of the next answer.
    response.prependOnceListener('finish', () => socket.setTimeout(0))
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (bytes < limits.countedAnswerBytes) return payload
    const caller = callerOf(request, request.caller?.account?.userId)
    const release = answers.add({ caller, bytes, cut: () => void socket.destroy() })
    if (!release) throw refuse('UNAVAILABLE', { retryAfterSeconds: 5 })
    response.once('close', release)
    return payload
  })
}
