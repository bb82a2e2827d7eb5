import { area } from '../area.ts'

export const accountDeletionStrings = area('accountDeletion', {
  heading: 'Delete account',
  intro: 'Deletes everything stored for your account at once. Nobody can restore it.',
  title: 'Delete your account?',
  text: 'Your files, messages, share links, keys and subscription are deleted at once and can’t be restored. Links you have shared stop working.',
  closesOrganization: (organization: string) =>
    `${organization} is closed with it: its plan ends at once, and everyone in it goes back to a trial.`,
  exportFirst: 'Download your files first if you still need them:',
  toFiles: 'Your Files',
  button: 'Delete Account',
  deleting: 'Deleting...',
  failed: 'Couldn’t delete your account. Please try again.',
})
