import { area } from './area.ts'
import { plural } from './format.ts'

export const shareLinkStrings = area('shareLink', {
  title: 'Share by link',
  link: 'Share link',
  copy: 'Copy link',
  expiry: 'The link works as long as the file is kept:',
  send: 'Send',
  qr: (fileName: string) => `QR code of the link to ${fileName}`,
  scan: 'Scan to open on another device',
  limit: 'Downloads allowed',
  noLimit: 'No limit',
  downloads: (count: number) => plural(count, { one: '1 download', other: `${count} downloads` }),
  label: 'Private label',
  labelHint: 'Encrypted: only you can read it.',
  labelExample: 'e.g. For Mara',
  notDownloaded: 'Not downloaded yet',
  downloaded: (count: number, last: string) =>
    plural(count, { one: `Downloaded once, last ${last}`, other: `Downloaded ${count} times, last ${last}` }),
  usedUp: 'This link has reached its download limit. Allow more downloads to reopen it.',
  changeFailed: 'Couldn’t change the link',
  stop: 'Stop sharing',
  stopTitle: 'Stop sharing?',
  stopQuestion: 'The link stops working immediately. If you share the file again, it gets a new link.',
  stopped: 'The link no longer works',
  stopFailed: 'Couldn’t stop sharing',
  done: 'Done',
})
