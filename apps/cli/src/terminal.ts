import { visibleText } from './visible-text.ts'

/** Where a command speaks. Results go out, everything else goes to the side. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly side: (text: string) => void
  /** Whether results go to a terminal, which acts on some characters, and not to a file or a program. */
  readonly isOutTerminal: boolean
  /** Whether a person watches the side, so that a line may be written over. */
  readonly isWatched: boolean
}

/** The same terminal for text that may hold anything: line by line, with nothing in it that acts on the terminal. */
export function createLines({ out, side }: Terminal) {
  return {
    out: (line: string): void => out(`${visibleText(line)}\n`),
    side: (line: string): void => side(`${visibleText(line)}\n`),
  }
}

const eraseLine = '\r\u001b[2K'

/** One line that is written over, or nothing at all where nobody watches. */
export function createStatusLine({ side, isWatched }: Terminal) {
  let isShown = false
  return {
    show(text: string): void {
      if (!isWatched) return
      side(`${eraseLine}${visibleText(text)}`)
      isShown = true
    },
    clear(): void {
      if (isShown) side(eraseLine)
      isShown = false
    },
  }
}
