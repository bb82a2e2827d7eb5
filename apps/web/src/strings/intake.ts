import { area } from './area.ts'
import { formatNumber, plural } from './format.ts'

export const intakeStrings = area('intake', {
  chooseFiles: 'Choose Files',
  chooseFolder: 'Choose Folder',
  files: 'Files to upload',
  folder: 'Folder to upload',
  paste: 'Paste',
  pastedImage: (moment: string, extension: string) => `Pasted image ${moment}.${extension}`,
  tapToBrowse: 'Tap to browse files, or paste from clipboard',
  dropToUpload: 'Drop files to upload',
  dropHint: (shortcut: string) =>
    `Drag and drop anywhere, paste with ${shortcut}, or click to browse. Encrypted here, before upload.`,
  pasteShortcut: 'Ctrl+V',
  pasteShortcutMac: '⌘V',
  nothingToPaste: 'There’s nothing on the clipboard to upload',
  clipboardUnreadable: 'Couldn’t read the clipboard. Use Choose Files instead.',
  dropFiles: (count: number) =>
    plural(count, {
      zero: 'Drop to upload files',
      one: 'Drop to upload 1 file',
      other: `Drop to upload ${formatNumber(count)} files`,
    }),
  dropItems: (count: number) => plural(count, { one: 'Drop to upload 1 item', other: `Drop to upload ${count} items` }),
  notHandedOver: 'This program didn’t hand over a file. Save it first, then drop it.',
  emptyFolder: (name: string) => `There are no files in ${name}.`,
  manyEmptyFolders: (count: number) =>
    plural(count, {
      one: '1 folder has no files and was left out.',
      other: `${formatNumber(count)} folders have no files and were left out.`,
    }),
  unreadable: (name: string) => `Couldn’t read ${name}.`,
  manyUnreadable: (count: number) =>
    plural(count, { one: 'Couldn’t read 1 file.', other: `Couldn’t read ${formatNumber(count)} files.` }),
  tooLong: (name: string) => `The name of ${name}, including its folders, is too long.`,
  manyTooLong: (count: number) =>
    plural(count, {
      one: 'The names of 1 file, including their folders, are too long.',
      other: `The names of ${formatNumber(count)} files, including their folders, are too long.`,
    }),
  truncated: (maximum: number) =>
    plural(maximum, {
      one: 'Only the first file was added. An account can’t hold more.',
      other: `Only the first ${formatNumber(maximum)} files were added. An account can’t hold more.`,
    }),
  waiting: (count: number, size: string) =>
    plural(count, { one: `1 more file waiting, ${size}`, other: `${formatNumber(count)} more files waiting, ${size}` }),
  showWaiting: 'Show more',
})

export const pastedTextStrings = area('pastedText', {
  title: 'Pasted text',
  intro: 'It will be encrypted before upload, like any file.',
  text: 'Text',
  name: 'File name',
  defaultName: (moment: string) => `Pasted text ${moment}.txt`,
  size: (lines: number, size: string) => plural(lines, { one: `1 line, ${size}`, other: `${lines} lines, ${size}` }),
  toChat: 'Send to Chat',
  save: 'Save as text file',
})
