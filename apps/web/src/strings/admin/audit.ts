import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const adminAuditStrings = area('adminAudit', {
  heading: 'Audit log',
  intro:
    'What admins and the command line have done on this server. Entries that were changed or removed are found when the log is checked; missing last ones only by comparing with an export.',
  failed: 'Failed to load the audit log',
  moreFailed: 'Failed to load more entries',
  none: 'No admin has done anything yet',
  noMatch: 'No entries match.',
  showAll: 'Show all entries',
  filter: 'Outcome',
  allOutcomes: 'All outcomes',
  outcomes: { done: 'Done', refused: 'Refused', failed: 'Failed' },
  columns: { action: 'Action', subject: 'Concerns', actor: 'By', outcome: 'Outcome', time: 'Time' },
  loadMore: 'Load more',
  loadingMore: 'Loading...',
  end: 'No older entries',

  unchecked: 'Not checked yet',
  unbroken: (time: string) => `Unbroken when checked at ${time}`,
  broken: (row: string, time: string) =>
    `Broken at row ${row}, found at ${time}: the log was changed outside the server. Restore a backup, and keep a copy of this log too.`,

  noSubject: '–',
  commandLine: 'Command line',
  account: (id: string) => `Account ${id}`,
  deletedAccount: (id: string) => `Deleted account ${id}`,
  subjects: {
    offer: (id: string) => `Invitation ${id}`,
    share: (id: string) => `Share link ${id}`,
  },

  actions: {
    user: {
      promote: 'Make admin',
      demote: 'Remove admin rights',
      ban: 'Ban',
      unban: 'Unban',
      'sign-out': 'Sign out everywhere',
      'set-licence': 'Change the license',
      'extend-licence': 'Extend the license',
      'cancel-subscription': 'Cancel the subscription',
      'reset-mfa': 'Turn off two-factor authentication',
      delete: 'Delete the account',
    },
    licence: { grant: 'Grant a license', extend: 'Extend the license' },
    offer: {
      'create-link': 'Create a magic link',
      'create-key': 'Create a license key',
      end: 'End an invitation',
    },
    share: { end: 'End a share link' },
    maintenance: { 'clean-up': 'Clean up' },
    clock: { confirm: 'Confirm the server’s time' },
    keys: { rotate: 'Rotate the signing key', 'issue-service-key': 'Issue a service key' },
    backup: { made: 'Make a backup', stop: 'Stop a backup', restored: 'Restore a backup' },
  },
  details: {
    storage: (size: string) => `${size} of storage`,
    days: (count: number) => plural(count, { one: '1 day', other: `${formatNumber(count)} days` }),
    expiryDays: (count: number) =>
      plural(count, { one: 'Works for 1 day', other: `Works for ${formatNumber(count)} days` }),
    seats: (count: number) => plural(count, { one: '1 seat', other: `${formatNumber(count)} seats` }),
    uses: (count: number) => plural(count, { one: '1 use', other: `${formatNumber(count)} uses` }),
    emailed: 'Sent by email',
    newOwner: (id: string) => `Organization handed to account ${id}`,
    sealed: 'Encrypted',
    plain: 'Not encrypted',
    copied: 'With the stored files',
    listed: 'Without the stored files',
    other: (name: string, value: string) => `${name}: ${value}`,
  },
})
