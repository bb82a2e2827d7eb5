import type { EmailContent } from './email-content.ts'
import type { SecurityEvent } from './email-service.ts'

interface NoticeText {
  readonly subject: string
  /** Continues with the time. */
  readonly happened: string
  readonly effect?: string
  /** What to do about an event that the owner has caused; by default, nothing. */
  readonly expected?: string
  /** What to do about an event that the owner did not cause. */
  readonly advice: string
}

const openSallyport = 'Open Sallyport the way you usually do'
const changePassword = `${openSallyport}, change your password in the settings, and sign out all other devices.`
const notYou = 'If this wasn’t you, someone else has access to your account.'
const contactOperator = 'contact the people who run your Sallyport server now.'
const resetPassword = `${openSallyport} and choose “Forgot password?” on the sign-in page now.`

const notices: Readonly<Record<SecurityEvent, NoticeText>> = {
  'two-factor-added': {
    subject: 'Two-factor authentication method added',
    happened: 'A two-factor authentication method was added to your account',
    effect: 'Signing in now asks for its code as well as your password.',
    advice: `${notYou} ${changePassword} Then remove the method there.`,
  },
  'two-factor-removed': {
    subject: 'Two-factor authentication method removed',
    happened: 'A two-factor authentication method was removed from your account',
    advice: `${notYou} ${changePassword} Then add the method again.`,
  },
  'backup-codes-replaced': {
    subject: 'Your backup codes were replaced',
    happened: 'New backup codes were created for your account',
    effect: 'Your earlier backup codes no longer work.',
    advice: `${notYou} ${changePassword} Then create new backup codes.`,
  },
  'recovery-key-created': {
    subject: 'A recovery key was created',
    happened: 'A recovery key was created for your account',
    effect: 'If you had one before, it no longer works.',
    advice: `${notYou} ${changePassword} Then replace the recovery key.`,
  },
  'recovery-key-removed': {
    subject: 'Your recovery key was removed',
    happened: 'The recovery key of your account was removed',
    effect: 'Without one, a forgotten password means that your files can’t be opened.',
    advice: `${notYou} ${changePassword} Then create a new recovery key.`,
  },
  'account-key-changed': {
    subject: 'The password that unlocks your files was changed',
    happened: 'The copy of your account key that your password unlocks was replaced',
    effect:
      'This is part of every password change. The earlier copy can be restored for 30 days with the earlier password.',
    advice: `${notYou} ${changePassword} If your files don’t open any more, ${contactOperator}`,
  },
  'account-key-restored': {
    subject: 'Your previous account key was restored',
    happened: 'The previous encrypted copy of your account key was restored',
    effect: 'It opens with the password that you had when it was in use.',
    advice: `${notYou} ${changePassword}`,
  },
  'password-changed': {
    subject: 'Your password was changed',
    happened: 'The password of your account was changed',
    effect: 'All your other devices were signed out.',
    advice: `${notYou} ${resetPassword}`,
  },
  'address-changed': {
    subject: 'Your email address was changed',
    happened: 'The email address of your account was changed to another one',
    effect: 'You get this email at the earlier address. Emails about your account go to the new one from now on.',
    advice: `${notYou} In that case, ${contactOperator}`,
  },
  'phone-changed': {
    subject: 'Your phone number was changed',
    happened: 'The phone number of your account was changed',
    effect: 'Signing in with a phone number needs the new one from now on.',
    advice: `${notYou} ${changePassword}`,
  },
  'password-set-by-admin': {
    subject: 'An administrator set a new password for your account',
    happened: 'The people who run your Sallyport server set a new password for your account',
    expected: 'If you asked for this, there’s nothing to do.',
    advice: `If you didn’t ask for this, ${contactOperator}`,
  },
  'account-deleted': {
    subject: 'Your account was deleted',
    happened: 'Your account was deleted',
    effect: 'Its files, messages and keys are gone, and nobody can restore them.',
    advice: `If this wasn’t you, ${contactOperator}`,
  },
  'wrong-passwords': {
    subject: 'Many wrong passwords for your account',
    happened: 'Someone entered many wrong passwords for your account. The last time was',
    effect: 'None of them was right, and your account is still protected.',
    advice: `If this wasn’t you, make sure that your password is long and used nowhere else. ${openSallyport} and turn on two-factor authentication in the settings.`,
  },
  'wrong-codes': {
    subject: 'Many wrong codes for your account',
    happened: 'Someone entered many wrong codes for your account. The last time was',
    effect: 'Codes are asked for after the password, so the person who did this may know yours.',
    advice: `If this wasn’t you, act now. ${changePassword}`,
  },
  'mail-codes-blocked': {
    subject: 'Many wrong codes from our emails',
    happened: 'Someone entered many wrong codes from our emails for your account. The last time was',
    effect: 'For a day, codes from our emails don’t work. The links in them still do.',
    advice: `If this wasn’t you, your account is still protected, and you don’t need to do anything.`,
  },
}

export const securityEvents = Object.keys(notices) as readonly SecurityEvent[]

export const isSecurityEvent = (kind: string): kind is SecurityEvent => kind in notices

/** Returns the content of a security notice. It has no link, so that a forged one with a link stands out. */
export function getNoticeContent(event: SecurityEvent, at: number | undefined): EmailContent {
  const { subject, happened, effect, expected = 'If this was you, there’s nothing to do.', advice } = notices[event]
  return {
    subject,
    paragraphs: [
      at === undefined ? `${happened}.` : `${happened} on ${formatTime(at)}.`,
      ...(effect === undefined ? [] : [effect]),
      expected,
    ],
    closing: advice,
  }
}

const formatTime = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at).concat(' UTC')
