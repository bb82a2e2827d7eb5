export const passwordWords = {
  strength: 'Password strength',
  scores: ['Guessed at once', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'],
  advice: 'Three or four words that do not belong together are easy to keep in mind and hard to guess.',
  matches: 'Matches',
  matchesNotYet: 'Not the same yet',
  tooShort: 'Password must be at least 6 characters',
  different: 'Passwords do not match',

  proofTitle: 'Confirm it’s you',
  proofText: 'Enter your password to change how your account is protected.',
  proofPassword: 'Password',
  proofConfirm: 'Confirm',
  proofChecking: 'Checking...',
  proofCancel: 'Cancel',
  proofWrong: 'That password isn’t right. Try again.',
  proofFailed: 'Couldn’t check your password. Try again.',
  proofCancelled: 'Nothing was changed. Confirm your password to continue.',
} as const
