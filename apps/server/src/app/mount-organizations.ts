import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { organizationInvitationRoutes } from '../modules/organizations/invitations.routes.ts'
import { createInvitationsService } from '../modules/organizations/invitations.service.ts'
import { createInvitationsStore } from '../modules/organizations/invitations.store.ts'
import { createJoinService } from '../modules/organizations/join.service.ts'
import { organizationRoutes } from '../modules/organizations/organizations.routes.ts'
import type { Users } from './users.ts'

/** Mounts the calls of organizations and of people who are invited to one. */
export function mountOrganizations(app: FastifyInstance, context: ServerContext, users: Users): void {
  const { db } = context
  const { provider, registration, memberships, members, organizations, hasProvenAddress } = users
  const invitations = createInvitationsService({
    ...context,
    organizations,
    store: createInvitationsStore(db),
    memberships,
    members,
    provider,
    hasProvenAddress,
  })
  organizationRoutes(app, { ...context, organizations, invitations })
  organizationInvitationRoutes(app, {
    ...context,
    ...createJoinService({ ...context, ...registration, invitations, provider }),
    invitations,
  })
}
