export const passwordWords = {
  strength: 'Password strength',
  scores: ['Guessed at once', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'],
  advice: 'Three or four words that do not belong together are easy to keep in mind and hard to guess.',
  matches: 'Matches',
  matchesNotYet: 'Not the same yet',
  tooShort: 'Password must be at least 6 characters',
  different: 'Passwords do not match',
} as const
