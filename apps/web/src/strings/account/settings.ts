import { area } from '../area.ts'

export const settingsStrings = area('settings', {
  title: 'Settings',
  sections: 'Sections',
  filesHeading: 'Files',
  appearance: 'Appearance',
  licences: 'Open-source licences',
  sourceCode: 'Source code of this server',
  theme: 'Theme',
  expiration: 'File Expiration Time',
  expirationHint: 'Applies to new files. Existing files keep their expiration time.',
  save: 'Save Settings',
  saving: 'Saving...',
  unsaved: 'Not saved yet',
  saved: 'Settings saved successfully!',
  fetchFailed: 'Failed to fetch settings',
  saveFailed: 'Failed to save settings',
})
