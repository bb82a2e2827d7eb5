export const keyWords = {
  recoveryMistyped: 'This is not a whole recovery key. Compare it with what you wrote down, group by group.',
  recoveryMissing: 'This account has no recovery key.',
  recoveryWrong: 'This recovery key belongs to another account, or to an earlier time.',
  otherKey:
    'The server answered a different account key than the one that is open here, so the recovery key was not saved. ' +
    'Sign out, sign in again, and make a new recovery key.',
  earlierKey:
    'The server answered an earlier account key than this device has used, so nothing was opened. If you restored ' +
    "an earlier key yourself, clear this site's data in the browser and sign in again.",
} as const
