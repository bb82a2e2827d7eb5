import { randomUUID } from 'node:crypto'
import type { ServerContext } from '../../context.ts'

interface OnlineQuestion {
  readonly id: string
  readonly userId: string
}

const questionTopic = 'online.question'
const answerTopic = 'online.answer'
/** How long other nodes have to answer. */
const answerMs = 300

/** Says which accounts have a page open, at this node or another one. */
export function createOnlineAccounts({ bus, redis }: Pick<ServerContext, 'bus' | 'redis'>) {
  const openPages = new Map<string, number>()
  const waiting = new Map<string, () => void>()

  bus.subscribe<OnlineQuestion>(questionTopic, ({ id, userId }) => {
    if (openPages.has(userId)) bus.publish(answerTopic, id)
  })
  bus.subscribe<string>(answerTopic, (id) => waiting.get(id)?.())

  function askOthers(userId: string): Promise<boolean> {
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), answerMs)
    waiting.set(id, () => resolve(true))
    bus.publish(questionTopic, { id, userId } satisfies OnlineQuestion)
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }

  return {
    /** Counts an open page of the account until the returned function is called. */
    add(userId: string): () => void {
      openPages.set(userId, (openPages.get(userId) ?? 0) + 1)
      return () => {
        const left = (openPages.get(userId) ?? 1) - 1
        if (left > 0) openPages.set(userId, left)
        else openPages.delete(userId)
      }
    },
    isOnline: async (userId: string): Promise<boolean> =>
      openPages.has(userId) || (redis !== null && askOthers(userId)),
  }
}

export type OnlineAccounts = ReturnType<typeof createOnlineAccounts>
