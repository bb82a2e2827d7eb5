import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageLimits } from '@sallyport/contract/limits'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Carry } from './carrier.ts'
import { textOf } from './letters.ts'
import { formatMail, type Sender } from './mail-format.ts'
import type { CodeMessage, Letter } from './post.ts'
import { inInternationalForm } from './text-gateway.ts'

interface Parts {
  readonly folder: string
  readonly sender: Sender
  readonly log: Pick<Logger, 'info'>
}

/** What lies in an outbox under a name: a letter as `.eml` or a text message as `.txt`. */
export interface OutboxEntry {
  readonly name: string
  readonly content: Buffer
}

/** A folder that stands in for a mail server or a gateway nobody has set: whoever may read it may read the post. */
export function createOutbox({ folder, sender, log }: Parts) {
  const printer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  /** Whole or not at all, so that a reader never meets half a letter. */
  async function keep(name: string, content: Buffer | string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = join(folder, `.${name}.draft`)
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, join(folder, name))
  }

  /** Names sort by time, as the ids they are made of do. */
  async function names(): Promise<string[]> {
    const found = await readdir(folder).catch(() => [])
    return found.filter((name) => /^[0-9a-f-]{36}\.(eml|txt)$/.test(name)).sort()
  }

  const carryLetter: Carry<Letter> = async (parcel) => {
    const { message } = await printer.sendMail(formatMail(parcel, sender))
    await keep(`${parcel.id}.eml`, message as Buffer)
    log.info({ kind: parcel.content.kind }, 'no mail server is set: a letter was laid into the outbox')
  }

  const carryText: Carry<CodeMessage> = async ({ id, content }) => {
    await keep(`${id}.txt`, `To: ${inInternationalForm(content.to)}\n\n${textOf(content)}\n`)
    log.info('no gateway is set: a text message was laid into the outbox')
  }

  return {
    carryLetter,
    carryText,
    /** The newest entries, latest first. */
    async read(most: number): Promise<OutboxEntry[]> {
      const newest = (await names()).toReversed().slice(0, most)
      return Promise.all(newest.map(async (name) => ({ name, content: await readFile(join(folder, name)) })))
    },
    /** Removes what nobody can use any more: no link lives longer than an invitation's. */
    async tidy(now: number): Promise<void> {
      for (const name of await names()) {
        const { mtimeMs } = await stat(join(folder, name))
        if (now - mtimeMs > messageLimits.invitationMs) await rm(join(folder, name), { force: true })
      }
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
