import { controlStrings } from '#/strings/controls.ts'
import type { Theme } from './theme.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

/** The themes with their labels. */
export const themeChoices = (): readonly { readonly value: Theme; readonly label: string }[] =>
  themes.map((value) => ({ value, label: controlStrings.themes[value] }))
