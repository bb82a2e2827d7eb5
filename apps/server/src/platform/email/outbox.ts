import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageLimits } from '@sallyport/contract/limits'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { CodeMessage, EmailTemplate } from './email-service.ts'
import { formatTextMessage } from './email-templates.ts'
import { formatMail, type MailSender } from './mail-format.ts'
import { toE164 } from './sms-gateway.ts'
import type { SendMessage } from './transport.ts'

interface OutboxDeps {
  readonly folder: string
  readonly sender: MailSender
  readonly log: Pick<Logger, 'info'>
}

/** A file in the outbox: an email as `.eml` or a text message as `.txt`. */
export interface OutboxEntry {
  readonly name: string
  readonly content: Buffer
}

/** A folder that receives messages if no mail server or SMS gateway is configured. Only the operator can read it. */
export function createOutbox({ folder, sender, log }: OutboxDeps) {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  /** Writes a file atomically, so that a reader never sees a partial message. */
  async function writeAtomically(name: string, content: Buffer | string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = join(folder, `.${name}.draft`)
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, join(folder, name))
  }

  /** Lists the file names, oldest first: they are UUIDv7 ids. */
  async function listNames(): Promise<string[]> {
    const found = await readdir(folder).catch(() => [])
    return found.filter((name) => /^[0-9a-f-]{36}\.(eml|txt)$/.test(name)).sort()
  }

  const sendEmail: SendMessage<EmailTemplate> = async (outbound) => {
    const { message } = await composer.sendMail(formatMail(outbound, sender))
    await writeAtomically(`${outbound.id}.eml`, message as Buffer)
    log.info({ kind: outbound.content.kind }, 'no mail server configured: email written to the outbox')
  }

  const sendText: SendMessage<CodeMessage> = async ({ id, content }) => {
    await writeAtomically(`${id}.txt`, `To: ${toE164(content.to)}\n\n${formatTextMessage(content)}\n`)
    log.info('no SMS gateway configured: text message written to the outbox')
  }

  return {
    sendEmail,
    sendText,
    /** Reads the newest entries, newest first. */
    async read(limit: number): Promise<OutboxEntry[]> {
      const newest = (await listNames()).toReversed().slice(0, limit)
      return Promise.all(newest.map(async (name) => ({ name, content: await readFile(join(folder, name)) })))
    },
    /** Deletes messages whose links have expired: invitations are valid longest. */
    async deleteOld(now: number): Promise<void> {
      for (const name of await listNames()) {
        const { mtimeMs } = await stat(join(folder, name))
        if (now - mtimeMs > messageLimits.invitationMs) await rm(join(folder, name), { force: true })
      }
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
