import { area } from '../area.ts'

export const settingsStrings = area('settings', {
  title: 'Settings',
  sections: 'Sections',
  filesHeading: 'Files',
  appearance: 'Appearance',
  theme: 'Theme',
  expiration: 'File Expiration Time',
  expirationHint: 'Applies to new files. Existing files keep their expiration time.',
  save: 'Save Settings',
  saving: 'Saving...',
  saved: 'Settings saved successfully!',
  fetchFailed: 'Failed to fetch settings',
  saveFailed: 'Failed to save settings',
})
