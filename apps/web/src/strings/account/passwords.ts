import { area } from '../area.ts'

export const passwordStrings = area('password', {
  strength: 'Password strength',
  scores: ['Very weak', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'],
  advice: 'Three or four unrelated words are easy to remember and hard to guess.',
  matches: 'Passwords match',
  noMatchYet: 'Passwords don’t match yet',
  tooShort: 'Password must be at least 6 characters',
  mismatch: 'Passwords do not match',
})
