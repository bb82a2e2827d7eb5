import type { AuditRow } from '@sallyport/contract/admin-security'
import { formatBytes } from '@sallyport/contract/formats'
import { visibleName } from '#/components/names/visible-name.ts'
import { adminAuditStrings as strings } from '#/strings/admin/audit.ts'
import { adminMaintenanceStrings } from '#/strings/admin/maintenance.ts'
import { licenceNames } from '#/strings/files.ts'

const shownIdDigits = 6

/** The end of an id, by which people tell accounts without an address apart: ids that were made together begin alike. */
export const shortId = (id: string): string => id.slice(-shownIdDigits)

/** What an action does in words; one that is not known here as it is recorded. */
export function actionText(action: string): string {
  const [subject = '', verb = ''] = action.split('.')
  const actions = ownValue<object>(strings.actions, subject)
  return (actions && ownValue<string>(actions, verb)) ?? visibleName(action)
}

/** The kind of what an action has changed in words, if it is not an account. */
export const subjectText = (action: string): ((id: string) => string) | undefined =>
  ownValue(strings.subjects, action.split('.')[0] ?? '')

/** The details of an action in words, without the code of its error, which belongs to the outcome. */
export const detailTexts = ({ details }: AuditRow): readonly string[] =>
  Object.entries(details)
    .filter(([name]) => name !== 'code')
    .flatMap(([name, value]) => detailText(name, value))

function detailText(name: string, value: string | number): string | readonly string[] {
  const { details } = strings
  const count = Number(value)
  switch (name) {
    case 'type':
      return typeText(String(value))
    case 'storageBytes':
      return details.storage(formatBytes(count))
    case 'days':
    case 'expiryDays':
    case 'seats':
    case 'uses':
      return details[name](count)
    case 'emails':
      return count === 0 ? [] : details.emailed
    case 'newOwnerId':
      return details.newOwner(shortId(String(value)))
    case 'database':
      return value === 'sealed' ? details.sealed : details.plain
    case 'objects':
      return value === 'copied' ? details.copied : details.listed
    default:
      return details.other(visibleName(name), visibleName(String(value)))
  }
}

/** The name of a license, or of what a cleanup removes. */
const typeText = (type: string): string =>
  ownValue<string>(licenceNames, type) ??
  ownValue<{ readonly title: string }>(adminMaintenanceStrings.types, type)?.title ??
  visibleName(type)

/** The value of a key that the server has chosen, never one that objects inherit. */
function ownValue<Value>(values: object, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? (values as Record<string, Value>)[key] : undefined
}
