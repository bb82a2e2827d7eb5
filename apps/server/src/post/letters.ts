import { messageLimits } from '@sallyport/contract/limits'
import { isSecurityEvent, noticeWording } from './notice-wording.ts'
import type { CodeMessage, Letter, SecurityLetter } from './post.ts'
import type { Wording } from './wording.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const confirmationHours = messageLimits.confirmationLinkMs / hourMs
const recoveryMinutes = messageLimits.recoveryLinkMs / minuteMs
const notYou = 'If this was not you, you need not do anything.'
const onlyYours = 'Never hand this code to anybody: nobody of Sallyport will ask you for it.'

/** The words of a letter. */
export function wordingOf(letter: Letter): Wording {
  if (isSecurityLetter(letter)) return noticeWording(letter.kind, letter.at)
  switch (letter.kind) {
    case 'confirm-address':
      return {
        subject: 'Please verify your email address',
        paragraphs: [
          'Welcome to Sallyport.',
          'Please verify that this address is yours. After that you can sign in with your password.',
        ],
        button: { label: 'Verify email address', link: letter.link },
        ...codeOf(letter.code),
        closing: `The link is good for ${confirmationHours} hours. ${notYou}`,
      }
    case 'prove-address':
      return {
        subject: 'Please verify the email address of your account',
        paragraphs: [
          'Your Sallyport account was created before this server sent email, so your address was never verified.',
          'Verify it now. You can keep signing in meanwhile.',
        ],
        button: { label: 'Verify email address', link: letter.link },
        closing: `The link is valid for ${confirmationHours} hours. If you don’t have a Sallyport account, don’t open it.`,
      }
    case 'already-registered':
      return {
        subject: 'You already have an account',
        paragraphs: [
          'Somebody, probably you, tried to create an account with this address. You have one already, and it was not changed.',
          'Sign in with your password. If you have forgotten it, choose “Forgot password” there.',
        ],
        button: { label: 'Sign in', link: letter.link },
        closing: notYou,
      }
    case 'recover':
      return {
        subject: 'Choose a new password',
        paragraphs: [
          'A new password was asked for your account.',
          'Keep your recovery key at hand: without it a new password cannot open what the old one sealed.',
        ],
        button: { label: 'Choose a new password', link: letter.link },
        ...codeOf(letter.code),
        closing: `The link is good for ${recoveryMinutes} minutes, once. ${notYou} Your password stays as it is.`,
      }
    case 'sign-in':
      return {
        subject: 'Your link to sign in',
        paragraphs: ['Sign in to Sallyport with this link, or type the code.'],
        button: { label: 'Sign in', link: letter.link },
        ...codeOf(letter.code),
        closing: `The link is good once. ${notYou} ${onlyYours}`,
      }
    case 'change-address':
      return {
        subject: 'Please confirm your new email address',
        paragraphs: ['The address of your account is about to change. Please confirm the change.'],
        button: { label: 'Confirm the change', link: letter.link },
        ...codeOf(letter.code),
        closing: `If this was not you, do not follow the link, and change your password. ${onlyYours}`,
      }
    case 'reauthenticate':
      return {
        subject: 'Your code to confirm it is you',
        paragraphs: ['Type this code to go on:'],
        ...codeOf(letter.code),
        closing: `If this was not you, somebody is signed in to your account: change your password. ${onlyYours}`,
      }
    case 'invitation':
      return {
        subject: 'You are invited to Sallyport',
        paragraphs: [`You were given a ${letter.licence}. Create your account to claim it.`],
        button: { label: 'Create account & claim licence', link: letter.link },
        closing: `The link is good for ${messageLimits.invitationMs / dayMs} days. Keep it to yourself: whoever opens it first can claim the licence.`,
      }
  }
}

const isSecurityLetter = (letter: Letter): letter is SecurityLetter => isSecurityEvent(letter.kind)

const codeOf = (code: string | undefined): { code?: string } => (code === undefined ? {} : { code })

/** The whole of a text message. */
export const textOf = ({ code }: CodeMessage): string =>
  `${code} is your Sallyport code. It is good for ${messageLimits.textCodeMs / minuteMs} minutes. Never hand it to anybody.`

/** For how long it makes sense to deliver a letter: what it carries must still be good on arrival. */
export const letterLifeMs = ({ kind }: Letter): number =>
  kind === 'recover' || kind === 'sign-in' || kind === 'reauthenticate' ? messageLimits.recoveryLinkMs : dayMs
