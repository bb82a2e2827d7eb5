import type { SendMailOptions } from 'nodemailer'
import { renderHtml, renderPlainText } from './email-rendering.ts'
import type { EmailTemplate } from './email-service.ts'
import { getEmailContent } from './email-templates.ts'
import type { OutboundMessage } from './transport.ts'

export interface MailSender {
  /** `Name <address>`. */
  readonly from: string
  /** The part after the @ of message ids. */
  readonly host: string
}

/** Formats an email for nodemailer. The message id is the same for every attempt, so that clients show a duplicate once. */
export function formatMail(
  { id, content: template }: OutboundMessage<EmailTemplate>,
  { from, host }: MailSender,
): SendMailOptions {
  const content = getEmailContent(template)
  return {
    from,
    to: { name: '', address: template.to },
    subject: content.subject,
    text: renderPlainText(content),
    html: renderHtml(content),
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
