export const fileWords = {
  area: 'Files',
  missingSignIn: 'Please log in to upload files',
  missingSession: 'No session ID provided - please log in again',
  missingKey: 'No master key found - please log in again',
  uploadFailed: (fileName: string, reason: string) => `Failed to upload ${fileName}: ${reason}`,
  uploadCancelled: 'Upload cancelled by user',
  waitingForNetwork: 'Waiting for the network',
  heading: 'Your Files',
  empty: 'Upload files to see them here',
  unreadableName: 'Unreadable name',
  listFailed: 'Your files could not be listed',
  deleteTitle: 'Delete File',
  deleteQuestion: 'Are you sure you want to delete this file? This action cannot be undone.',
  deleteAllQuestion: 'Are you sure you want to delete all files? This action cannot be undone.',
  deleted: (count: number) => (count === 1 ? '1 file deleted' : `${count} files deleted`),
  copyFailed: 'Could not copy text.',
  copyByHand: 'Tap and hold to copy the link',
  copied: 'Copied to clipboard!',
  linkCopied: 'Link copied to clipboard!',
  generatingLink: 'Generating link...',
  linkReady: 'Link ready to share!',
  notForCameraRoll: 'Only images and videos can be saved to Camera Roll. Use the download button for other file types.',
  readyToSave: (fileName: string) => `${fileName} is ready to be saved`,
  saveFailed: 'The file could not be saved',
  lifetimeQuestion: 'From now on, keep it for',
  lifetimeChanged: (lifetime: string) => `Expires in ${lifetime}`,
  lifetimeFailed: 'The lifetime could not be changed',
  retry: 'Retry',
  deleteFailed: 'The file could not be deleted',
  lost: (count: number) =>
    count === 1
      ? 'One file from before your new key cannot be opened any more. It expires by itself.'
      : `${count} files from before your new key cannot be opened any more. They expire by themselves.`,
  deleteLost: 'Delete them',
  bytesOfNewest: 'The first bytes of your newest file’s name, as the server holds them',
  bytesOfSample: 'The first bytes of a name sealed in this page, as the server would hold them',
} as const

/** What the holder of a licence calls it. */
export const licenceNames = {
  trial: 'Trial',
  personal: 'Personal',
  vip: 'VIP',
  business: 'Business',
  nonprofit: 'Nonprofit',
} as const
