import { area } from '../area.ts'

/** In a module of its own, because only the sign-up form needs it and the landing page must stay small. */
export const registrationStrings = area('registration', {
  title: 'Create an account',
  closedTitle: 'Registration is closed',
  closed: 'This server doesn’t accept new accounts. Portals, sessions and share links work without one.',
  inviteOnly:
    'You need an invitation to create an account. Open the link you received, or enter your licence key here.',
})
