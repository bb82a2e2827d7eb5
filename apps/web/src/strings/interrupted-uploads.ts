import { area } from './area.ts'
import { plural } from './format.ts'

/** Strings for uploads that were interrupted in an earlier visit. */
export const interruptedUploadStrings = area('interruptedUpload', {
  uploads: 'Uploads to resume',
  count: (count: number, size: string) =>
    plural(count, { one: `1 upload to resume, ${size}`, other: `${count} uploads to resume, ${size}` }),
  pausedAt: (percent: string) => `Paused at ${percent}`,
  notSent: (size: string) => `Not sent yet, ${size}`,
  chooseAgain: (fileName: string, percent: string) => `Choose ${fileName} again to resume at ${percent}`,
  chooseToSend: (fileName: string) => `Choose ${fileName} again to send it`,
  pasteAgain: 'This was pasted and is too large to store in your browser. Paste it again.',
  errors: {
    'not-allowed': 'Your browser can’t read this file. Choose it again to continue.',
    'not-there': 'The file was moved or deleted. Choose it again to continue.',
    'not-the-same': 'This isn’t the same file, or it has changed. Please choose the original file.',
    changed: 'The file has changed. Choose it again to send the new version.',
  },
  noneMatches: 'None of these files matches an interrupted upload.',
  resume: 'Resume',
  resumeAll: 'Resume all',
  chooseFile: 'Choose file',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose folder',
  discard: 'Discard',
  discardAll: 'Discard all',
  more: (count: number, size: string) => `${count} more, ${size}`,
  showMore: 'Show more',
  elsewhere: 'Unfinished on other devices',
  received: (percent: string, size: string) => `${percent} of ${size} received`,
  discardFailed: 'The upload could not be discarded.',
  noSpace: 'Your browser doesn’t have enough space to remember these uploads. Keep this page open until they finish.',
})
