import { area } from '../area.ts'

export const reauthenticationStrings = area('reauthentication', {
  title: 'Confirm it’s you',
  text: 'Enter your password to change how your account is protected.',
  confirm: 'Confirm',
  checking: 'Checking...',
  wrong: 'That password isn’t right. Try again.',
  failed: 'Couldn’t check your password. Try again.',
  cancelled: 'Nothing was changed. Confirm your password to continue.',
})
