import { recoveryKeyLetters } from '@sallyport/crypto'
import { securityStrings } from '#/strings/account/security.ts'

/** A recovery key in its groups, numbered as on the printed sheet, so that the two can be compared. */
export function RecoveryKeyGroups({ groups }: { readonly groups: readonly string[] }) {
  return (
    <ol aria-label={securityStrings.keyGroups} dir="ltr" className="grid grid-cols-2 gap-1.5">
      {groups.map((group, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move, and two may be equal.
          key={index}
          className="flex items-baseline gap-2 rounded-segment bg-sunken px-2.5 py-1.5"
        >
          <span aria-hidden className="num w-5 text-2xs text-ink-3">
            {index + 1}
          </span>
          <span className="num text-base tracking-wider">{group}</span>
        </li>
      ))}
    </ol>
  )
}

/** Splits a key that may be incomplete into its groups of four characters. */
export const recoveryKeyGroups = (text: string): readonly string[] => recoveryKeyLetters(text).match(/.{1,4}/g) ?? []
