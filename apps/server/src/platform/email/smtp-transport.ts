import { createTransport } from 'nodemailer'
import type { EmailTemplate } from './email-service.ts'
import { formatMail, type MailSender } from './mail-format.ts'
import { type SendMessage, Undeliverable } from './transport.ts'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** Sends emails to an SMTP server, each over its own connection. */
export function createSmtpTransport(url: string, sender: MailSender): SendMessage<EmailTemplate> {
  const transport = createTransport({ url, ...timeouts })
  return async (message, signal) => {
    try {
      await transport.sendMail({ ...formatMail(message, sender), signal })
    } catch (error) {
      throw isPermanentRejection(error) ? new Undeliverable(error) : error
    }
  }
}

/** The server rejected the recipient or the message. A rejected login or sender is a configuration error, which is retried. */
function isPermanentRejection(error: unknown): boolean {
  const { command = '', responseCode = 0 } = error as { command?: string; responseCode?: number }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
