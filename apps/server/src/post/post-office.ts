import { randomUUIDv7 } from 'node:crypto'
import { messageLimits } from '@sallyport/contract/limits'
import type { Logger } from 'pino'
import type { Job } from '../jobs/scheduler.ts'
import { type Carry, Undeliverable } from './carrier.ts'
import { retryDelayMs } from './delivery.rules.ts'
import { letterLifeMs } from './letters.ts'
import type { CodeMessage, Letter, Post } from './post.ts'
import type { Channel, Claimed, PostQueueStore } from './post-queue.store.ts'
import type { Sealing } from './sealing.ts'

interface Parts {
  readonly store: PostQueueStore
  readonly sealing: Sealing
  readonly carryLetter: Carry<Letter>
  readonly carryText: Carry<CodeMessage>
  /** True for an address of this instance: letters lead nowhere else. */
  readonly isOwnLink: (link: string) => boolean
  readonly now: () => number
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** How long one attempt may take; other nodes leave a parcel alone for twice as long. */
  readonly attemptMs?: number
}

export interface PostOffice extends Post {
  readonly job: Job
  /** Ends what is under way; what was not delivered waits for the next start. */
  close(): Promise<void>
}

const channels = ['mail', 'text'] as const
const everyMs = 5_000
/** So many of a channel are delivered side by side: one slow answer keeps the others from nothing. */
const atOnce = 4
const farewellMs = 3_000

/**
 * Keeps letters and messages in the database until they are delivered. Each is tried at once, then ever more rarely,
 * and given up when what it carries is good for nothing any more.
 */
export function createPostOffice(parts: Parts): PostOffice {
  const { store, sealing, isOwnLink, now, log, attemptMs = 60_000 } = parts
  const carry = {
    mail: parts.carryLetter as Carry<object>,
    text: parts.carryText as Carry<object>,
  } satisfies Record<Channel, Carry<object>>
  const ending = new AbortController()
  const workers = { mail: new Set<Promise<void>>(), text: new Set<Promise<void>>() }
  let open = true

  async function enqueue(channel: Channel, content: object, lifeMs: number): Promise<void> {
    const id = randomUUIDv7()
    const created_at = now()
    await store.add({ id, channel, sealed: sealing.seal(id, content), created_at, give_up_at: created_at + lifeMs })
    nudge(channel)
  }

  function nudge(channel: Channel): void {
    if (!open || workers[channel].size >= atOnce) return
    const worker = deliverAllDue(channel)
      .catch((error: unknown) => log.error({ err: error, channel }, 'the post could not be read'))
      .finally(() => workers[channel].delete(worker))
    workers[channel].add(worker)
  }

  async function deliverAllDue(channel: Channel): Promise<void> {
    while (open) {
      const parcel = await store.claim(channel, { now: now(), until: now() + 2 * attemptMs })
      if (!parcel) return
      await deliver(channel, parcel)
    }
  }

  async function deliver(channel: Channel, parcel: Claimed): Promise<void> {
    if (parcel.until <= now()) return giveUp(channel, parcel, new Error('Its time was up'))
    const content = openParcel(parcel)
    if (content instanceof Error) return giveUp(channel, parcel, content)
    try {
      await carry[channel]({ id: parcel.id, content }, AbortSignal.any([ending.signal, AbortSignal.timeout(attemptMs)]))
    } catch (error) {
      return postpone(channel, parcel, error)
    }
    await store.remove(parcel)
  }

  function openParcel({ id, sealed }: Claimed): object {
    try {
      return sealing.open(id, sealed)
    } catch {
      return new Error('It was sealed under another key')
    }
  }

  async function postpone(channel: Channel, parcel: Claimed, error: unknown): Promise<void> {
    if (ending.signal.aborted) return store.postpone(parcel, now())
    const next = now() + retryDelayMs(parcel.attempts)
    if (error instanceof Undeliverable || next >= parcel.until) return giveUp(channel, parcel, error)
    log.warn({ channel, attempts: parcel.attempts, ...reasonOf(error) }, 'the post could not be delivered yet')
    await store.postpone(parcel, next)
  }

  async function giveUp(channel: Channel, parcel: Claimed, error: unknown): Promise<void> {
    log.error({ channel, attempts: parcel.attempts, ...reasonOf(error) }, 'the post could not be delivered; given up')
    await store.remove(parcel)
  }

  return {
    async mail(letter) {
      if ('link' in letter && !isOwnLink(letter.link)) throw new Error('A letter must not lead away from here')
      await enqueue('mail', letter, letterLifeMs(letter))
    },
    text: (message) => enqueue('text', message, messageLimits.textCodeMs),
    job: {
      name: 'post',
      everyMs,
      async run() {
        for (const channel of channels) nudge(channel)
      },
    },
    async close() {
      open = false
      const underWay = Promise.all([...workers.mail, ...workers.text])
      const timer = setTimeout(() => ending.abort(), farewellMs)
      await underWay
      clearTimeout(timer)
    },
  }
}

/** What a mail server says may name the address it is about, so nothing but its numbers is kept. */
function reasonOf(error: unknown): object {
  const { code, responseCode } = (error instanceof Undeliverable ? error.cause : error) as {
    code?: unknown
    responseCode?: unknown
  }
  return {
    ...(typeof code === 'string' && { reason: code }),
    ...(typeof responseCode === 'number' && { answer: responseCode }),
  }
}
