export const archiveWords = {
  button: 'Download All',
  card: 'All files as one archive',
  stuck: (fileName: string, reason: string) => `${fileName}: ${reason}`,
  leaveOut: 'Go on without it',
  tryFileAgain: 'Try again',
  leftOut: (names: readonly string[]) => `Saved without ${names.join(', ')}`,
  retry: 'Retry',
  again: 'Download again',
  dismiss: 'Dismiss',
  cancel: 'Cancel',
  inMemory:
    'This browser gives the page no room on the disk, so the bytes are kept in memory until all are there. Very large files may not fit.',
} as const
