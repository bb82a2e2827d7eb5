/** Moments at which a crash is worth trying; whoever runs the server may end the process at one of them. */
export type FailPoint =
  | 'after-chunk-write'
  | 'before-chunk-fsync'
  | 'after-chunk-fsync'
  | 'after-chunk-rename'
  | 'after-chunk-row'
  | 'before-directory-fsync'
  | 'after-directory-fsync'
  | 'before-commit'
  | 'after-commit'
  | 'before-answer'
  | 'after-delete-row'
  | 'during-sweep'

/** Told that a moment has come. */
export type Reached = (point: FailPoint) => void

export const goOn: Reached = () => undefined

/** Ends the process without a word at the moment of that name, as a power cut would; without a name nothing happens. */
export function failPointOf(name: string | undefined): Reached {
  if (name === undefined) return goOn
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL')
  }
}
