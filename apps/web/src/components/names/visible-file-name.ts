import { controlStrings } from '#/strings/controls.ts'
import { visibleName } from './visible-name.ts'

/** Returns the name of a file as it is shown: with marks for deceptive characters, and never blank. */
export const visibleFileName = (name: string): string =>
  name.trim() === '' ? controlStrings.unnamedFile : visibleName(name)
