import { visibleText } from './visible-text.ts'

/** Output of a command: results go to stdout, everything else to stderr. */
export interface Terminal {
  readonly writeStdout: (text: string) => void
  readonly writeStderr: (text: string) => void
  /** Whether stdout is a terminal, which interprets control characters. */
  readonly isStdoutTerminal: boolean
  /** Whether stderr is a terminal, so that the status line can be overwritten. */
  readonly isStderrTerminal: boolean
}

/** Writes untrusted text to the terminal, one line at a time, with control characters escaped. */
export function createLineWriter({ writeStdout, writeStderr }: Terminal) {
  return {
    stdout: (line: string): void => writeStdout(`${visibleText(line)}\n`),
    stderr: (line: string): void => writeStderr(`${visibleText(line)}\n`),
  }
}

const eraseLine = '\r\u001b[2K'

/** A status line that is overwritten in place. Writes nothing if stderr is not a terminal. */
export function createStatusLine({ writeStderr, isStderrTerminal }: Terminal) {
  let isShown = false
  return {
    show(text: string): void {
      if (!isStderrTerminal) return
      writeStderr(`${eraseLine}${visibleText(text)}`)
      isShown = true
    },
    clear(): void {
      if (isShown) writeStderr(eraseLine)
      isShown = false
    },
  }
}
