export const archiveTexts = {
  timeout:
    'Downloading all files took longer than one hour and was stopped. This happens with very large files or slow ' +
    'connections. Try downloading the files individually.',
} as const
