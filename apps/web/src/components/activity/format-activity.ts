import type { ActivityAction, ActivityEntry } from '@sallyport/contract/activity'
import { formatBytes } from '@sallyport/contract/formats'
import { activityStrings } from '#/strings/lists/activity.ts'

/** An entry as a sentence: `Uploaded 3 files, 12.40 MB`. */
export function formatActivity({ action, details: { files = 1, bytes } }: ActivityEntry): string {
  const text = describe(action, files)
  return bytes === undefined ? text : activityStrings.withSize(text, formatBytes(bytes))
}

function describe(action: ActivityAction, files: number): string {
  switch (action) {
    case 'sign-in':
      return activityStrings.signedIn
    case 'upload':
      return activityStrings.uploaded(files)
    case 'download':
      return activityStrings.downloaded(files)
    case 'share':
      return activityStrings.shared(files)
    case 'share-download':
      return activityStrings.downloadedByLink(files)
    case 'delete':
      return activityStrings.deleted(files)
  }
}
