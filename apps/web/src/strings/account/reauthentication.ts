import { area } from '../area.ts'

export const reauthenticationStrings = area('reauthentication', {
  title: 'Confirm it’s you',
  text: 'Enter your password to change how your account is protected.',
  password: 'Password',
  confirm: 'Confirm',
  checking: 'Checking...',
  cancel: 'Cancel',
  wrong: 'That password isn’t right. Try again.',
  failed: 'Couldn’t check your password. Try again.',
  cancelled: 'Nothing was changed. Confirm your password to continue.',
})
