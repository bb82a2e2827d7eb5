import { randomUUIDv7 } from 'node:crypto'
import { messageLimits } from '@sallyport/contract/limits'
import type { Logger } from 'pino'
import type { Job } from '../../jobs.ts'
import type { CodeMessage, EmailService, EmailTemplate } from './email-service.ts'
import { emailLifetimeMs } from './email-templates.ts'
import type { Channel, ClaimedMessage, MailQueueStore } from './mail-queue.store.ts'
import type { MessageSealing } from './message-sealing.ts'
import { type SendMessage, Undeliverable } from './transport.ts'

interface MailQueueDeps {
  readonly store: MailQueueStore
  readonly sealing: MessageSealing
  readonly sendEmail: SendMessage<EmailTemplate>
  readonly sendText: SendMessage<CodeMessage>
  /** Whether a URL belongs to this instance; emails cannot link elsewhere. */
  readonly isOwnLink: (link: string) => boolean
  readonly now: () => number
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Timeout of one attempt; the lease of a claimed message is twice as long. */
  readonly attemptMs?: number
}

export interface MailQueue extends EmailService {
  readonly job: Job
  /** Waits briefly for deliveries in progress, then aborts them; undelivered messages stay queued. */
  close(): Promise<void>
}

const channels = ['mail', 'text'] as const
const everyMs = 5_000
/** Concurrent deliveries per channel, so that a slow one does not block the others. */
const concurrency = 4
const shutdownGraceMs = 3_000
const firstRetryDelayMs = 15_000
const longestRetryDelayMs = 15 * 60_000

/**
 * Queues emails and text messages in the database until they are delivered. Delivery is attempted at once, then retried
 * with exponential backoff, and given up when the link or code has expired.
 */
export function createMailQueue(deps: MailQueueDeps): MailQueue {
  const { store, sealing, isOwnLink, now, log, attemptMs = 60_000 } = deps
  const senders = {
    mail: deps.sendEmail as SendMessage<object>,
    text: deps.sendText as SendMessage<object>,
  } satisfies Record<Channel, SendMessage<object>>
  const shutdown = new AbortController()
  const workers = { mail: new Set<Promise<void>>(), text: new Set<Promise<void>>() }
  let open = true

  async function enqueue(channel: Channel, content: object, lifeMs: number): Promise<void> {
    const id = randomUUIDv7()
    const created_at = now()
    await store.add({ id, channel, sealed: sealing.seal(id, content), created_at, give_up_at: created_at + lifeMs })
    startWorker(channel)
  }

  function startWorker(channel: Channel): void {
    if (!open || workers[channel].size >= concurrency) return
    const worker = deliverAllDue(channel)
      .catch((error: unknown) => log.error({ err: error, channel }, 'the mail queue could not be read'))
      .finally(() => workers[channel].delete(worker))
    workers[channel].add(worker)
  }

  async function deliverAllDue(channel: Channel): Promise<void> {
    while (open) {
      const message = await store.claim(channel, { now: now(), until: now() + 2 * attemptMs })
      if (!message) return
      await deliver(channel, message)
    }
  }

  async function deliver(channel: Channel, message: ClaimedMessage): Promise<void> {
    if (message.until <= now()) return giveUp(channel, message, new Error('The message has expired'))
    const content = openMessage(message)
    if (content instanceof Error) return waitForKey(channel, message)
    try {
      await senders[channel](
        { id: message.id, content },
        AbortSignal.any([shutdown.signal, AbortSignal.timeout(attemptMs)]),
      )
    } catch (error) {
      return postpone(channel, message, error)
    }
    await store.remove(message)
  }

  function openMessage({ id, sealed }: ClaimedMessage): object {
    try {
      return sealing.open(id, sealed)
    } catch {
      return new Error('The message was sealed with another key')
    }
  }

  /** A server with the right key may still start and deliver the message, until it expires. */
  async function waitForKey(channel: Channel, message: ClaimedMessage): Promise<void> {
    log.warn({ channel, attempts: message.attempts }, 'a message is encrypted with another key; it stays queued')
    await store.postpone(message, Math.min(message.until, now() + retryDelayMs(message.attempts)))
  }

  async function postpone(channel: Channel, message: ClaimedMessage, error: unknown): Promise<void> {
    if (shutdown.signal.aborted) return store.postpone(message, now())
    const next = now() + retryDelayMs(message.attempts)
    if (error instanceof Undeliverable || next >= message.until) return giveUp(channel, message, error)
    log.warn(
      { channel, attempts: message.attempts, ...reasonOf(error) },
      'a message could not be delivered, will retry',
    )
    await store.postpone(message, next)
  }

  async function giveUp(channel: Channel, message: ClaimedMessage, error: unknown): Promise<void> {
    log.error({ channel, attempts: message.attempts, ...reasonOf(error) }, 'a message could not be delivered; given up')
    await store.remove(message)
  }

  return {
    async queueEmail(email) {
      if ('link' in email && !isOwnLink(email.link)) throw new Error('Emails must not link to other origins')
      await enqueue('mail', email, emailLifetimeMs(email))
    },
    queueText: (message) => enqueue('text', message, messageLimits.textCodeMs),
    job: {
      name: 'post',
      everyMs,
      async run() {
        for (const channel of channels) startWorker(channel)
      },
    },
    async close() {
      open = false
      const active = Promise.all([...workers.mail, ...workers.text])
      const timer = setTimeout(() => shutdown.abort(), shutdownGraceMs)
      await active
      clearTimeout(timer)
    },
  }
}

/** Delay before the next attempt: exponential backoff from 15 seconds up to 15 minutes. */
const retryDelayMs = (attempts: number): number =>
  Math.min(longestRetryDelayMs, firstRetryDelayMs * 2 ** Math.max(0, attempts - 1))

/** Responses of mail servers can contain addresses, so only the codes are logged. */
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
