export const settingsWords = {
  title: 'Settings',
  sections: 'Sections',
  filesHeading: 'Files',
  appearance: 'Appearance',
  theme: 'Theme',
  expiration: 'File Expiration Time',
  expirationHint: 'How long a new file stays. Files that are there already keep their time.',
  save: 'Save Settings',
  saving: 'Saving...',
  saved: 'Settings saved successfully!',
  fetchFailed: 'Failed to fetch settings',
  saveFailed: 'Failed to save settings',
} as const
