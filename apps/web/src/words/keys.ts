export const keyWords = {
  recoveryMistyped: 'This is not a whole recovery key. Compare it with what you wrote down, group by group.',
  recoveryMissing: 'This account has no recovery key.',
  recoveryWrong: 'This recovery key belongs to another account, or to an earlier time.',
} as const
