export const passwordWords = {
  strength: 'Password strength',
  scores: ['Guessed at once', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'],
  advice: 'Three or four words that do not belong together are easy to keep in mind and hard to guess.',
} as const
