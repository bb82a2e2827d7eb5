import { area } from '../area.ts'

export const keyStrings = area('key', {
  recoveryMistyped: 'This recovery key is incomplete or mistyped. Compare it with your saved key, group by group.',
  recoveryMissing: 'This account has no recovery key.',
  recoveryWrong: 'This recovery key belongs to another account or has been replaced.',
  differentKey:
    'The server sent a different account key than the one in use here, so the recovery key wasn’t saved. ' +
    'Sign out, sign in again, and create a new recovery key.',
  olderKey:
    'The server sent an older account key than this device has used, so nothing was decrypted. If you restored ' +
    "an earlier key yourself, clear this site's data in the browser and sign in again.",
})
