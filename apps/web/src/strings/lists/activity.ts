import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const activityStrings = area('activity', {
  heading: 'Activity',
  intro:
    'What happened in your account in the last 90 days. The server stores how many files it was, not which ones. If you don’t recognize something, change your password.',
  label: 'Recent activity',
  empty: 'No activity in the last 90 days.',
  failed: 'Couldn’t load your activity',
  signedIn: 'Signed in',
  uploaded: (count: number) =>
    plural(count, { one: 'Uploaded 1 file', other: `Uploaded ${formatNumber(count)} files` }),
  downloaded: (count: number) =>
    plural(count, { one: 'Downloaded 1 file', other: `Downloaded ${formatNumber(count)} files` }),
  deleted: (count: number) => plural(count, { one: 'Deleted 1 file', other: `Deleted ${formatNumber(count)} files` }),
  shared: (count: number) =>
    plural(count, { one: 'Created a share link', other: `Created ${formatNumber(count)} share links` }),
  downloadedByLink: (count: number) =>
    plural(count, {
      one: '1 download with a share link',
      other: `${formatNumber(count)} downloads with share links`,
    }),
  withSize: (text: string, size: string) => `${text}, ${size}`,
})
