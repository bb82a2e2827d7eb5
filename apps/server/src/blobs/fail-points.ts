/** Moments at which a crash is worth trying; whoever runs the server may end the process at one of them. */
export const failPoints = [
  'after-chunk-write',
  'before-chunk-fsync',
  'after-chunk-fsync',
  'after-chunk-rename',
  'after-chunk-row',
  'before-directory-fsync',
  'after-directory-fsync',
  'before-commit',
  'after-commit',
  'before-answer',
  'after-delete-row',
  'during-sweep',
] as const

export type FailPoint = (typeof failPoints)[number]

/** Told that a moment has come. */
export type Reached = (point: FailPoint) => void

export const goOn: Reached = () => undefined
