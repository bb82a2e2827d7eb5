import type { ErrorCode } from '@sallyport/contract/error-codes'
import type { InvitedRole, OrganizationRole } from '@sallyport/contract/organization-roles'

/** What someone does in their organization, and to whom: a member or an invitation of this role. */
export type OrganizationAction =
  | { readonly kind: 'read' | 'add-seats' | 'cancel' | 'leave' }
  | { readonly kind: 'invite' | 'manage-invitation'; readonly role: InvitedRole }
  | { readonly kind: 'remove' | 'set-role'; readonly role: OrganizationRole }

/** Returns the error for an action that this role may not do; null if it may. The server and the page both follow it. */
export function authorize(action: OrganizationAction, actor: OrganizationRole): ErrorCode | null {
  switch (action.kind) {
    case 'read':
      return actor === 'member' ? 'FORBIDDEN' : null
    case 'add-seats':
    case 'cancel':
      return actor === 'owner' ? null : 'FORBIDDEN'
    case 'leave':
      return actor === 'owner' ? 'OWNER_CANNOT_LEAVE' : null
    case 'invite':
    case 'manage-invitation':
      return actor === 'owner' || (actor === 'admin' && action.role === 'member') ? null : 'FORBIDDEN'
    case 'remove':
      if (actor === 'member') return 'FORBIDDEN'
      if (action.role === 'owner') return 'MEMBER_IS_OWNER'
      return actor === 'owner' || action.role === 'member' ? null : 'FORBIDDEN'
    case 'set-role':
      if (actor !== 'owner') return 'FORBIDDEN'
      return action.role === 'owner' ? 'MEMBER_IS_OWNER' : null
  }
}

export const isAllowed = (action: OrganizationAction, actor: OrganizationRole): boolean =>
  authorize(action, actor) === null
