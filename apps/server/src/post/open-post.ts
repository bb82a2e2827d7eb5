import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Job } from '../jobs/scheduler.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createPostOffice, type PostOffice } from './post-office.ts'
import type { PostQueueStore } from './post-queue.store.ts'
import { createSealing } from './sealing.ts'
import { carryBySmtp } from './smtp.ts'
import { carryByGateway } from './text-gateway.ts'

interface Parts {
  readonly store: PostQueueStore
  readonly secretsFolder: string
  readonly dataFolder: string
  /** Where letters may lead. Its port may change until the server listens. */
  readonly publicUrl: URL
  readonly smtpUrl: string | undefined
  readonly smsUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

interface OpenPost {
  readonly office: PostOffice
  readonly outbox: Outbox
  readonly jobs: readonly Job[]
}

const hourMs = 60 * 60_000

/** The post as it is set: over a mail server and a gateway, or, where there is none, into the outbox. */
export function openPost(parts: Parts): OpenPost {
  const { store, secretsFolder, dataFolder, publicUrl, smtpUrl, smsUrl, mailFrom, now, log } = parts
  const { hostname } = publicUrl
  const sender = { from: mailFrom ?? `Sallyport <sallyport@${hostname}>`, host: hostname }
  const outbox = createOutbox({ folder: join(dataFolder, 'outbox'), sender, log })
  const office = createPostOffice({
    store,
    sealing: createSealing(secretsFolder),
    carryLetter: smtpUrl === undefined ? outbox.carryLetter : carryBySmtp(smtpUrl, sender),
    carryText: smsUrl === undefined ? outbox.carryText : carryByGateway(smsUrl),
    isOwnLink: (link) => URL.parse(link)?.origin === publicUrl.origin,
    now,
    log,
  })
  const tidy: Job = { name: 'outbox', everyMs: hourMs, run: () => outbox.tidy(now()) }
  return { office, outbox, jobs: [office.job, tidy] }
}
