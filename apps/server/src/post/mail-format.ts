import type { SendMailOptions } from 'nodemailer'
import type { Parcel } from './carrier.ts'
import { printPage, printPlain } from './letter-pages.ts'
import { wordingOf } from './letters.ts'
import type { Letter } from './post.ts'

export interface Sender {
  /** `Name <address>`. */
  readonly from: string
  /** Stands behind the @ of message ids. */
  readonly host: string
}

/** A letter as the mailer wants it. Its id stays the same, so that a mail program shows a repeated one once. */
export function formatMail({ id, content: letter }: Parcel<Letter>, { from, host }: Sender): SendMailOptions {
  const wording = wordingOf(letter)
  return {
    from,
    to: { name: '', address: letter.to },
    subject: wording.subject,
    text: printPlain(wording),
    html: printPage(wording),
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
