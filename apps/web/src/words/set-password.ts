export const setPasswordWords = {
  verifying: 'Checking your link...',
  verifyingMore: 'This takes a moment.',
  missing: 'Invalid or missing password setup link',
  expired: 'Invalid or expired recovery link. Please request a new invitation.',
  unverified: 'Failed to verify recovery link. Please try again.',
  sessionMissing: 'Session not verified. Please click the link in your email again.',
  failedTitle: 'This link does not work',
  tryAgain: 'Try again',
  newLink: 'Send a new link',
  toLogin: 'Go to Login',
  titleNew: 'Set your password',
  titleForgotten: 'Set a new password',
  account: 'For',
  password: 'New password',
  confirmation: 'Confirm password',
  button: 'Set Password',
  buttonTeam: 'Set Password & Join Team',
  busy: 'Setting Password...',
  failed: 'Failed to set password. Please try again.',
  way: 'How to go on with your files',
  withKey: 'I have my recovery key',
  withKeyHint: 'Everything you keep here stays readable.',
  withoutKey: 'I do not have it',
  recoveryKey: 'Recovery key',
  recoveryKeyHint: 'Small and capital letters are the same here, and so are spaces and dashes.',
  recoveryKeyMissing: 'Enter your recovery key, or go on without it',
  lossTitle: 'Your old password was the only key',
  loss: (files: number) =>
    files === 0
      ? 'You keep no files here at the moment, so nothing is lost.'
      : files === 1
        ? 'The one file you keep here can no longer be opened by anybody, you included. It expires by itself.'
        : `The ${files} files you keep here can no longer be opened by anybody, you included. They expire by themselves.`,
  lossUnknown: 'The files you keep here can no longer be opened by anybody, you included. They expire by themselves.',
  acceptLoss: 'I understand that these files are lost',
  acceptNeeded: 'Confirm first that you know what is lost',
  doneTitle: 'Your password is set',
  done: 'You are taken to your files.',
  lost: (files: number) =>
    files === 1 ? '1 file can no longer be opened.' : `${files} files can no longer be opened.`,
  goNow: 'Go now',
} as const
