import { area } from '../area.ts'

export const passwordStrings = area('password', {
  strength: 'Password strength',
  scores: ['Very weak', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'],
  advice: 'Three or four unrelated words are easy to remember and hard to guess.',
  /** By the names that the estimator has for what makes a password easy to guess. */
  warnings: {
    straightRow: 'Rows of keys on the keyboard are easy to guess.',
    keyPattern: 'Short keyboard patterns are easy to guess.',
    simpleRepeat: 'Repeated characters are easy to guess.',
    extendedRepeat: 'Repeated groups of characters are easy to guess.',
    sequences: 'Sequences such as “abc” are easy to guess.',
    recentYears: 'Recent years are easy to guess.',
    dates: 'Dates are easy to guess.',
    topTen: 'This is one of the ten most common passwords.',
    topHundred: 'This is one of the hundred most common passwords.',
    common: 'This is a common password.',
    similarToCommon: 'This is similar to a common password.',
    wordByItself: 'A single word is easy to guess.',
    namesByThemselves: 'A single name is easy to guess.',
    commonNames: 'Common names are easy to guess.',
    userInputs: 'It contains personal data, such as your email address.',
  },
  matches: 'Passwords match',
  noMatchYet: 'Passwords don’t match yet',
  tooShort: 'Password must be at least 6 characters',
  mismatch: 'Passwords do not match',
})
