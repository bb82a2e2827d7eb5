import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { organizationLimits } from '@sallyport/contract/limits'
import type { InvitedRole } from '@sallyport/contract/organization-roles'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { ApiError, apiError } from '../../errors.ts'
import { hashToken } from '../../token-hash.ts'
import { readEmail } from '../accounts/identifier.ts'
import type { AuthProvider } from '../auth/provider.ts'
import type { FoundInvitation, InvitationsStore } from './invitations.store.ts'
import type { MembersStore } from './members.store.ts'
import type { Membership, MembershipsStore } from './memberships.store.ts'
import type { OrganizationsService } from './organizations.service.ts'

interface InvitationsDeps extends Pick<ServerContext, 'rateLimiter' | 'emailService' | 'publicUrl' | 'now'> {
  readonly organizations: OrganizationsService
  readonly store: InvitationsStore
  readonly memberships: Pick<MembershipsStore, 'invitationsTo'>
  readonly members: Pick<MembersStore, 'emailOf'>
  readonly provider: Pick<AuthProvider, 'findBy' | 'findUser'>
  /** Whether an email has proved that the address of the user is theirs. */
  readonly hasProvenAddress: (userId: string) => Promise<boolean>
}

interface InviteInput {
  readonly actorId: string
  readonly email: string
}

interface AcceptInput {
  readonly userId: string
  readonly token: string
  /** The address block of the client. */
  readonly address: string
}

const tokenBytes = 32
const copiedPrefix = 'i.'

/** Invitations by email and by copied links. Only the hash of an emailed token is stored. */
export function createInvitationsService(deps: InvitationsDeps) {
  const { organizations, store, memberships, members, provider, hasProvenAddress } = deps
  const { rateLimiter, emailService, publicUrl, now } = deps

  const createToken = (): string => randomBytes(tokenBytes).toString('base64url')

  /** Throws unless invitations of this organization may be sent now. */
  async function requireRunning(organization: Membership): Promise<number> {
    const { status, total } = await organizations.seatsOf(organization)
    if (status === 'ended') throw apiError('ORGANIZATION_ENDED')
    return total
  }

  /** Counts an email, unless what has to come before it fails. */
  async function counting<Result>({ id }: Membership, email: string, step: () => Promise<Result>): Promise<Result> {
    const keys = [`invitation-mails|${id}`, `invitation-mails-to|${email}`] as const
    await rateLimiter.require(keys[0], rateLimits.invitationMailsPerOrganization)
    await rateLimiter.require(keys[1], rateLimits.invitationMailsPerRecipient)
    return step().catch(async (error: unknown) => {
      for (const key of keys) await rateLimiter.refund(key)
      throw error
    })
  }

  async function send(
    { name, role }: { name: string; role: InvitedRole },
    { actorId, email }: InviteInput,
    token: string,
  ) {
    const account = await provider.findBy({ email })
    const page = account?.email_confirmed_at ? 'accept-invite' : 'join-org'
    await emailService.queueEmail({
      kind: 'organization-invitation',
      to: email,
      link: new URL(`/${page}/${token}`, publicUrl).href,
      organization: name,
      role,
      inviter: await members.emailOf(actorId),
    })
  }

  /** Finds an open invitation. Throws ORGANIZATION_INVITATION_INVALID; misses are rate-limited. */
  async function find(token: string, address: string): Promise<FoundInvitation> {
    const key = `invitation|${address}`
    await rateLimiter.require(key, rateLimits.invitationMissesPerAddress)
    const found = isCopied(token)
      ? await store.findById(token.slice(copiedPrefix.length), now())
      : await store.findByToken(hashToken(token), now())
    if (!found) throw apiError('ORGANIZATION_INVITATION_INVALID')
    await rateLimiter.refund(key)
    return found
  }

  /** Makes this user a member. The caller has checked that the invitation is theirs. */
  async function take(invitation: FoundInvitation, userId: string, token: string | null) {
    const { id, organization, email } = invitation
    const { total } = await organizations.seatsOf(organization)
    const role = await store.accept({
      invitationId: id,
      tokenHash: token === null || isCopied(token) ? null : hashToken(token),
      organizationId: organization.id,
      userId,
      email,
      totalSeats: total,
      now: now(),
    })
    await organizations.announceChange(organization.id, userId)
    return { name: organization.name, role }
  }

  return {
    find,
    take,
    /** Throws EMAIL_INVALID, NO_SEATS, ALREADY_MEMBER, INVITATION_PENDING, ORGANIZATION_ENDED or RATE_LIMITED. */
    async invite({ actorId, role, ...input }: InviteInput & { readonly role: InvitedRole }) {
      const organization = await organizations.requireManager(actorId)
      const email = readEmail(input.email)
      const totalSeats = await requireRunning(organization)
      const token = createToken()
      const id = randomUUIDv7()
      const sentAt = now()
      const seat = { organizationId: organization.id, actorId, id, email, role, totalSeats }
      await counting(organization, email, () => store.add({ ...seat, tokenHash: hashToken(token), now: sentAt }))
      await send({ name: organization.name, role }, { actorId, email }, token)
      await organizations.announceToManagers(organization.id)
      const invitation = { id, email, role, sent_at: sentAt, expires_at: sentAt + organizationLimits.invitationMs }
      return { invitation, actor: organization.role }
    },
    /** Sends a new link. Throws INVITATION_UNKNOWN, NO_SEATS, ORGANIZATION_ENDED or RATE_LIMITED. Returns the address. */
    async resend({ actorId, ...input }: InviteInput): Promise<string> {
      const organization = await organizations.requireManager(actorId)
      const email = readEmail(input.email)
      const totalSeats = await requireRunning(organization)
      const token = createToken()
      const seat = { organizationId: organization.id, actorId, email, totalSeats }
      const renewal = { ...seat, tokenHash: hashToken(token), now: now() }
      const role = await counting(organization, email, () => store.renew(renewal))
      await send({ name: organization.name, role }, { actorId, email }, token)
      await organizations.announceToManagers(organization.id)
      return email
    },
    /** Deletes all invitations that the actor may delete, or one of them, and returns how many. */
    async clear(actorId: string, id?: string): Promise<number> {
      const organization = await organizations.requireManager(actorId)
      const cleared = await store.clear({ organizationId: organization.id, actorId, id })
      if (cleared > 0) await organizations.announceToManagers(organization.id)
      return cleared
    },
    /** What an invitation offers. A copied link proves nothing about an address, which is masked then. */
    async describe(token: string, address: string) {
      const { email, role, expiresAt, organization } = await find(token, address)
      const isEmailed = !isCopied(token)
      const account = isEmailed ? await provider.findBy({ email }) : null
      const hasAccount = account?.email_confirmed_at !== undefined && account !== null
      return {
        email: isEmailed ? email : maskEmail(email),
        organization_name: organization.name,
        role,
        expires_at: expiresAt,
        has_account: hasAccount,
        can_create_account: isEmailed && !hasAccount,
      }
    },
    /** Throws INVITATION_FOR_ANOTHER unless the confirmed address of the user is the invited one. */
    async accept({ userId, token, address }: AcceptInput) {
      const invitation = await find(token, address)
      const user = await provider.findUser(userId)
      const isTheirs = user?.email_confirmed_at !== undefined && user.email === invitation.email
      if (!isTheirs) throw apiError('INVITATION_FOR_ANOTHER')
      return take(invitation, userId, token)
    },
    /** The open invitations to the address of a user, if an email has proved that it is theirs. */
    async invitationsTo(userId: string, email: string) {
      if (email === '' || !(await hasProvenAddress(userId))) return []
      return memberships.invitationsTo(email, now())
    },
    /** Accepts the newest invitation to the proven address of a user; null if there is none. */
    async autoJoin(userId: string, email: string) {
      if (email === '' || !(await hasProvenAddress(userId))) return null
      if (await organizations.findMembership(userId)) return null
      const [newest] = await memberships.invitationsTo(email, now())
      const invitation = newest && (await store.findById(newest.id, now()))
      if (!invitation) return null
      return take(invitation, userId, null).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'NO_SEATS') return null
        throw error
      })
    },
  }
}

export type InvitationsService = ReturnType<typeof createInvitationsService>

export const isCopied = (token: string): boolean => token.startsWith(copiedPrefix)

/** `a…@example.com` */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1…')
