import type { Theme } from './theme.ts'

/** What a person may choose between, in words. */
export const themeChoices: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
