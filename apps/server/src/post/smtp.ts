import { createTransport } from 'nodemailer'
import { type Carry, Undeliverable } from './carrier.ts'
import { formatMail, type Sender } from './mail-format.ts'
import type { Letter } from './post.ts'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** Carries letters to a mail server, each over a connection of its own. */
export function carryBySmtp(url: string, sender: Sender): Carry<Letter> {
  const transport = createTransport({ url, ...timeouts })
  return async (parcel, signal) => {
    try {
      await transport.sendMail({ ...formatMail(parcel, sender), signal })
    } catch (error) {
      throw isRefusedForGood(error) ? new Undeliverable(error) : error
    }
  }
}

/** The recipient or the letter was refused. A refused sign-in or sender is the operator's to mend, and worth waiting for. */
function isRefusedForGood(error: unknown): boolean {
  const { command = '', responseCode = 0 } = error as { command?: string; responseCode?: number }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
