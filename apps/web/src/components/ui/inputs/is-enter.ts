import type { KeyboardEvent } from 'react'

/** The code of a key that an input method handles (UI Events, section 7.3). */
const inputMethodKeyCode = 229

/**
 * Whether the Enter key was pressed, and not to confirm a word of an input method. Safari ends the composition before it
 * sends that key, so only its code tells.
 */
export const isEnter = ({ key, keyCode, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && keyCode !== inputMethodKeyCode && !nativeEvent.isComposing
