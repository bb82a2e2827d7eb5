import { messageLimits, organizationLimits } from '@sallyport/contract/limits'
import type { EmailContent } from './email-content.ts'
import type { CodeMessage, EmailTemplate, SecurityNoticeTemplate } from './email-service.ts'
import { getNoticeContent, isSecurityEvent } from './security-notice-templates.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const confirmationHours = messageLimits.confirmationLinkMs / hourMs
const recoveryMinutes = messageLimits.recoveryLinkMs / minuteMs
const codeMinutes = messageLimits.textCodeMs / minuteMs
const notYou = 'If this wasn’t you, you can ignore this email.'
const codeWarning = 'Never give this code to anyone.'

const warningAbout = (code: string | undefined): string => (code === undefined ? '' : ` ${codeWarning}`)

/** Returns the content of an email. */
export function getEmailContent(template: EmailTemplate): EmailContent {
  if (isSecurityNotice(template)) return getNoticeContent(template.kind, template.at)
  switch (template.kind) {
    case 'confirm-address':
      return {
        subject: 'Please verify your email address',
        paragraphs: [
          'Welcome to Sallyport.',
          'Please verify your email address. After that, you can sign in with your password.',
        ],
        button: { label: 'Verify email address', link: template.link },
        code: template.code,
        closing: `The link expires in ${confirmationHours} hours. ${notYou}${warningAbout(template.code)}`,
      }
    case 'prove-address':
      return {
        subject: 'Please verify the email address of your account',
        paragraphs: [
          'Your Sallyport account was created before this server sent email, so your address was never verified.',
          'Verify it now. You can keep signing in meanwhile.',
        ],
        button: { label: 'Verify email address', link: template.link },
        closing: `The link expires in ${confirmationHours} hours. If you don’t have a Sallyport account, don’t open it.`,
      }
    case 'already-registered':
      return {
        subject: 'You already have an account',
        paragraphs: [
          'Someone, probably you, tried to use this email address for an account. You already have an account with it, and that wasn’t changed.',
          'Sign in with your password. If you’ve forgotten it, choose “Forgot password?” on the sign-in page.',
        ],
        button: { label: 'Sign in', link: template.link },
        closing: notYou,
      }
    case 'recover':
      return {
        subject: 'Choose a new password',
        paragraphs: [
          'Someone asked to reset your password.',
          'Have your recovery key ready. A new password alone can’t unlock your existing files.',
        ],
        button: { label: 'Choose a new password', link: template.link },
        code: template.code,
        closing: `The link expires in ${recoveryMinutes} minutes and can be used once. ${notYou} Your password won’t change.${warningAbout(template.code)}`,
      }
    case 'sign-in':
      return {
        subject: 'Your sign-in link',
        paragraphs: ['Use this link to sign in to Sallyport, or enter the code.'],
        button: { label: 'Sign in', link: template.link },
        code: template.code,
        closing: `The link can be used once. ${notYou} ${codeWarning}`,
      }
    case 'change-address':
      return {
        subject: 'Please confirm the change of an email address',
        paragraphs: [
          'Someone asked to change the email address of a Sallyport account.',
          'We sent a link to the current address and to the new one. The address changes once both have been opened.',
        ],
        button: { label: 'Confirm the change', link: template.link },
        code: template.code,
        closing: `The link expires in ${confirmationHours} hours. If this wasn’t you, don’t open it. If this is the current address of your account, also change your password. ${codeWarning}`,
      }
    case 'reauthenticate':
      return {
        subject: 'Your confirmation code',
        paragraphs: ['Enter this code where you were asked to confirm that it’s you:'],
        code: template.code,
        closing: `The code expires in ${codeMinutes} minutes. If this wasn’t you, someone else is signed in to your account. Change your password. ${codeWarning}`,
      }
    case 'invitation':
      return {
        subject: 'You are invited to Sallyport',
        paragraphs: [`You’ve been given a ${template.licence}. Create an account to claim it.`],
        button: { label: 'Create account & claim licence', link: template.link },
        closing: `The link expires in ${messageLimits.invitationMs / dayMs} days. Keep it private: anyone who has it can claim the licence.`,
      }
    case 'organization-invitation':
      return {
        subject: 'You are invited to a team on Sallyport',
        paragraphs: [
          `${template.inviter} invites you to join “${template.organization}” as ${template.role === 'admin' ? 'an admin' : 'a member'}.`,
          'The owner and the admins of a team see your email address, how much space you use and how many files you have. They can’t open your files.',
        ],
        button: { label: 'Accept the invitation', link: template.link },
        closing: `The link expires in ${organizationLimits.invitationMs / dayMs} days. Keep it private: it can create your account. ${notYou}`,
      }
  }
}

const isSecurityNotice = (template: EmailTemplate): template is SecurityNoticeTemplate => isSecurityEvent(template.kind)

/** Returns the content of a text message. */
export const formatTextMessage = ({ code }: CodeMessage): string =>
  `${code} is your Sallyport code. It expires in ${codeMinutes} minutes. Never share it.`

/** How long delivery of an email is retried: its link or code must still be valid on arrival. */
export function emailLifetimeMs({ kind }: EmailTemplate): number {
  if (kind === 'reauthenticate') return messageLimits.textCodeMs
  return kind === 'recover' || kind === 'sign-in' ? messageLimits.recoveryLinkMs : dayMs
}
