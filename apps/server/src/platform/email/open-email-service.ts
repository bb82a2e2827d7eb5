import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Job } from '../../jobs.ts'
import type { MailQueueStore } from './mail-queue.store.ts'
import { createMailQueue, type MailQueue } from './mail-queue.ts'
import { createMessageSealing } from './message-sealing.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createSmsGatewayTransport } from './sms-gateway.ts'
import { createSmtpTransport } from './smtp-transport.ts'

interface EmailServiceOptions {
  readonly config: Pick<Config, 'SMTP_URL' | 'SMS_URL' | 'MAIL_FROM'>
  readonly store: MailQueueStore
  /** The data folder. */
  readonly folder: string
  /** The only allowed origin of links in emails. Its port can change until the server listens. */
  readonly publicUrl: URL
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

interface OpenedEmailService {
  readonly queue: MailQueue
  readonly outbox: Outbox
  readonly jobs: readonly Job[]
}

const hourMs = 60 * 60_000

/** Creates the email service: delivers by the configured SMTP server and SMS gateway, otherwise to the outbox folder. */
export function openEmailService(options: EmailServiceOptions): OpenedEmailService {
  const { config, store, folder, publicUrl, now, log } = options
  const { SMTP_URL: smtpUrl, SMS_URL: smsUrl, MAIL_FROM: mailFrom } = config
  const { hostname } = publicUrl
  const sender = { from: mailFrom ?? `Sallyport <sallyport@${hostname}>`, host: hostname }
  const outbox = createOutbox({ folder: join(folder, 'outbox'), sender, log })
  const queue = createMailQueue({
    store,
    sealing: createMessageSealing(join(folder, 'secrets')),
    sendEmail: smtpUrl === undefined ? outbox.sendEmail : createSmtpTransport(smtpUrl, sender),
    sendText: smsUrl === undefined ? outbox.sendText : createSmsGatewayTransport(smsUrl),
    isOwnLink: (link) => URL.parse(link)?.origin === publicUrl.origin,
    now,
    log,
  })
  const cleanupJob: Job = { name: 'outbox', everyMs: hourMs, needsRightTime: true, run: () => outbox.deleteOld(now()) }
  return { queue, outbox, jobs: [queue.job, cleanupJob] }
}
