import type { Call } from '@sallyport/client/call'
import { type AdminAction, admin, type UserDetail } from '@sallyport/contract/admin'
import type { LicenceType } from '@sallyport/contract/licence-types'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { formatOptionalDate } from '#/strings/dates/optional-date.ts'
import { licenceLabel } from '../licence-badge.tsx'
import { userName } from '../user-name.tsx'

/** A change of an account that is confirmed first. */
export type ConfirmedAction =
  | { readonly type: Exclude<AdminAction, 'set-licence' | 'extend-licence' | 'delete'> }
  | { readonly type: 'set-licence'; readonly licence: LicenceType }

/** A change of an account that an admin has asked for. */
export type UserAction = ConfirmedAction | { readonly type: 'extend-licence' | 'delete' }

interface ActionQuestion {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly cancel?: string
  /** Shown for an error without a sentence of its own. */
  readonly failed: string
  readonly tone: 'danger' | 'primary'
}

/** Returns the question that confirms an action. */
export function questionOf(action: ConfirmedAction, { user, subscription }: UserDetail): ActionQuestion {
  const strings = adminActionStrings
  const name = nameInSentence(userName(user))
  const defaults = { failed: strings.changeFailed }
  switch (action.type) {
    case 'set-licence': {
      const { title, ...rest } = strings.license
      return { ...defaults, ...rest, title: title(name, licenceLabel(action.licence)), tone: 'primary' }
    }
    case 'promote':
      return { ...defaults, ...strings.promote, title: strings.promote.title(name), tone: 'primary' }
    case 'demote':
      return { ...defaults, ...strings.demote, title: strings.demote.title(name), tone: 'danger' }
    case 'ban':
      return { ...defaults, ...strings.ban, title: strings.ban.title(name), tone: 'danger' }
    case 'unban':
      return { ...defaults, ...strings.unban, title: strings.unban.title(name), tone: 'primary' }
    case 'sign-out':
      return { ...defaults, ...strings.signOut, title: strings.signOut.title(name), tone: 'danger' }
    case 'cancel-subscription': {
      const { title, text, ...rest } = strings.subscription
      const date = formatOptionalDate(subscription?.current_period_end ?? null)
      return { ...rest, title: title(name), text: text(date), tone: 'danger' }
    }
  }
}

/** Sends an action to the server and resolves with the sentence of its answer. */
export async function runAction(call: Call, id: string, action: ConfirmedAction): Promise<string> {
  const params = { id }
  switch (action.type) {
    case 'set-licence':
      return (await call(admin.setUserLicence, { params, body: { license_type: action.licence } })).message
    case 'promote':
      return (await call(admin.promoteUser, { params })).message
    case 'demote':
      return (await call(admin.demoteUser, { params })).message
    case 'ban':
      return (await call(admin.banUser, { params })).message
    case 'unban':
      return (await call(admin.unbanUser, { params })).message
    case 'sign-out':
      return (await call(admin.signUserOut, { params })).message
    case 'cancel-subscription':
      return (await call(admin.cancelUserSubscription, { params })).message
  }
}
