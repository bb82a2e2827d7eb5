import { intakeWords } from '#/words/intake.ts'
import { type LeftOut, mostFiles } from './taken-file.ts'

/** What was left out, in sentences; empty when nothing was. */
export function sayLeftOut({ unreadable, tooLong, emptyFolders, isCut }: LeftOut): string {
  return [
    ...emptyFolders.map(intakeWords.emptyFolder),
    ...say(unreadable, intakeWords.unreadable, intakeWords.manyUnreadable),
    ...say(tooLong, intakeWords.tooLong, intakeWords.manyTooLong),
    ...(isCut ? [intakeWords.cut(mostFiles)] : []),
  ].join(' ')
}

function say(names: readonly string[], one: (name: string) => string, many: (count: number) => string): string[] {
  const [first] = names
  if (first === undefined) return []
  return names.length === 1 ? [one(first)] : [many(names.length)]
}
