import { area } from '../area.ts'

/** Shown to the creator after rejected devices have used up the codes. */
export const portalGuessingStrings = area('portalGuessing', {
  status: 'Paused: no code is shown',
  title: 'Someone may be guessing your code',
  text: 'Your codes were used up by devices that couldn’t join, so no new code is shown. Share a link or the QR code instead: it can’t be guessed.',
  useLink: 'Use a link or QR code',
  newCode: 'Make a new code anyway',
})
