import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

/** The questions before an account is changed. `user` is its email address or phone number. */
export const adminActionStrings = area('adminActions', {
  working: 'Saving...',
  reauthentication: 'Enter your password to change this account.',

  license: {
    title: (user: string, license: string) => `Change the license of ${user} to ${license}?`,
    text: 'The new license replaces the current one at once, including licenses from keys and links. No files are deleted.',
    confirm: 'Change license',
    failed: 'Failed to update license',
  },
  promote: {
    title: (user: string) => `Make ${user} an admin?`,
    text: 'Admins can see and change all accounts on this server.',
    confirm: 'Promote',
    failed: 'Failed to promote user',
  },
  demote: {
    title: (user: string) => `Remove admin rights from ${user}?`,
    text: 'They lose access to the admin area at once.',
    confirm: 'Demote',
    failed: 'Failed to demote user',
  },
  ban: {
    title: (user: string) => `Ban ${user}?`,
    text: 'They’re signed out on all devices and can’t sign in until you unban them. Their files stay until they expire.',
    confirm: 'Ban',
  },
  unban: {
    title: (user: string) => `Unban ${user}?`,
    text: 'They can sign in again.',
    confirm: 'Unban',
  },
  signOut: {
    title: (user: string) => `Sign ${user} out everywhere?`,
    text: 'They have to sign in again on all devices.',
    confirm: 'Sign out everywhere',
  },
  delete: {
    title: (user: string) => `Delete ${user}?`,
    files: (count: number) => plural(count, { one: '1 file', other: `${formatNumber(count)} files` }),
    text: (files: string, size: string) =>
      `Their ${files} (${size}), shares and messages, their subscription and their data are removed. This cannot be undone.`,
    typeEmail: 'Type the email address to confirm',
    typePhone: 'Type the phone number to confirm',
    typeId: 'Type the ID of the account to confirm',
    ownsOrganization: (organization: string) => `They own ${organization}.`,
    organization: 'Organization',
    close: 'Close it',
    transfer: 'Hand it to',
    newOwner: 'New owner',
    confirm: 'Delete user',
    working: 'Deleting...',
    failed: 'Failed to delete user',
  },
  changeFailed: 'The account could not be changed',

  subscription: {
    title: (user: string) => `Cancel the subscription of ${user}?`,
    text: (date: string) => `The plan stays until ${date} and isn’t renewed. Nothing is refunded.`,
    confirm: 'Cancel subscription',
    cancel: 'Keep subscription',
    failed: 'Failed to cancel subscription',
  },
  extend: {
    title: 'Extend by how many days?',
    days: 'Days',
    hint: (days: number) => `A whole number from 1 to ${days}`,
    confirm: 'Extend',
    failed: 'Failed to extend subscription',
  },
})
