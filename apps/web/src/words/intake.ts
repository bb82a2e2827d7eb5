const filesOf = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en-GB')} files`)

export const intakeWords = {
  chooseFiles: 'Choose Files',
  chooseFolder: 'Choose Folder',
  files: 'Files to seal',
  folder: 'Folder to seal',
  paste: 'Paste',
  nothingToPaste: 'There is nothing on the clipboard that can be sealed',
  pasteRefused: 'The clipboard could not be read. Choose Files works everywhere.',
  dropFiles: (count: number) => (count === 0 ? 'Drop to seal files' : `Drop to seal ${filesOf(count)}`),
  dropItems: (count: number) => (count === 1 ? 'Drop to seal 1 item' : `Drop to seal ${count} items`),
  emptyFolder: (name: string) => `There are no files in ${name}.`,
  unreadable: (name: string) => `${name} could not be read.`,
  manyUnreadable: (count: number) => `${filesOf(count)} could not be read.`,
  tooLong: (name: string) => `The name of ${name} is too long with its folders.`,
  manyTooLong: (count: number) => `The names of ${filesOf(count)} are too long with their folders.`,
  cut: (most: number) => `Only the first ${filesOf(most)} were taken: that is as many as an account holds.`,
  waiting: (count: number, size: string) => `${filesOf(count)} more waiting, ${size}`,
  showWaiting: 'Show more',
  cancelAll: 'Cancel all',
} as const

export const pastedTextWords = {
  title: 'Pasted text',
  intro: 'It is sealed before it leaves, like any file.',
  text: 'The text',
  name: 'File name',
  defaultName: (moment: string) => `Pasted text ${moment}.txt`,
  size: (lines: number, size: string) => `${lines === 1 ? '1 line' : `${lines} lines`}, ${size}`,
  toChat: 'Put in Chat',
  seal: 'Seal as text file',
} as const
