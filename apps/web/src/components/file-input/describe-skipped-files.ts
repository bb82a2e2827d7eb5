import { intakeStrings } from '#/strings/intake.ts'
import { maxFiles, type SkippedFiles } from './added-file.ts'

/** Describes what was skipped; empty when nothing was. */
export function describeSkippedFiles({ unreadable, tooLong, emptyFolders, isTruncated }: SkippedFiles): string {
  return [
    ...describe(emptyFolders, intakeStrings.emptyFolder, intakeStrings.manyEmptyFolders),
    ...describe(unreadable, intakeStrings.unreadable, intakeStrings.manyUnreadable),
    ...describe(tooLong, intakeStrings.tooLong, intakeStrings.manyTooLong),
    ...(isTruncated ? [intakeStrings.truncated(maxFiles)] : []),
  ].join(' ')
}

function describe(
  names: readonly string[],
  singular: (name: string) => string,
  plural: (count: number) => string,
): string[] {
  const [first] = names
  if (first === undefined) return []
  return names.length === 1 ? [singular(first)] : [plural(names.length)]
}
