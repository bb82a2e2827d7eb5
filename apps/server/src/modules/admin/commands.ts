import { randomUUIDv7 } from 'node:crypto'
import type { ServerContext } from '../../context.ts'
import { addDays } from '../accounts/licences/licence.rules.ts'
import type { LicenceOffers, OfferTerms } from '../accounts/licences/licence-offers.ts'
import type { LicencesStore } from '../accounts/licences/licences.store.ts'
import type { Licences } from '../accounts/licences/licences.ts'
import { normalizeEmail } from '../auth/users/identifier.rules.ts'
import type { UsersStore } from '../auth/users/users.store.ts'
import type { AdminsStore } from './admins.store.ts'
import type { Audit, AuditEntry } from './audit/audit.ts'
import { createAuditCommands } from './audit/audit-commands.ts'
import { createBillingCommands } from './billing-commands.ts'
import { parseCommandLine, parseNumberOption, parseOfferTerms, UsageError } from './options.ts'
import { usage } from './usage.ts'
import { type CommandSubject, createUserCommands, type UserCommandsDeps } from './user-commands.ts'

interface CommandsDeps
  extends Omit<UserCommandsDeps, 'findUser' | 'findSubject'>,
    Pick<ServerContext, 'emailService' | 'publicUrl' | 'clock' | 'now'> {
  readonly users: UsersStore
  readonly admins: AdminsStore
  readonly audit: Audit
  readonly licences: Licences
  readonly licencesStore: LicencesStore
  readonly offers: LicenceOffers
  /** Returns the id of the new key. */
  readonly rotateKeys: () => Promise<string>
  /** Issues a key for the admin calls of the auth provider. */
  readonly issueServiceKey: (seconds: number) => Promise<string>
  /** Sets up the payment provider, and yields what it did and found. */
  readonly setUpBilling: (isDryRun: boolean) => AsyncGenerator<string>
}

type Options = ReturnType<typeof parseCommandLine>['options']
/** The text to print, or its lines one after another. */
type Output = Promise<string> | AsyncGenerator<string>
type Command = (operands: readonly string[], options: Options) => Output

const gigabyte = 1024 ** 3
const longestBanDays = 100 * 365
const defaultServiceKeyDays = 30
const daySeconds = 24 * 3600

/** The commands of the operator. Each one that changes something appends one row to the audit log. */
export function createCommands(deps: CommandsDeps) {
  const { users, authSessions, admins, audit, licences, licencesStore, offers, emailService, publicUrl, clock, now } =
    deps

  async function findSubject(
    action: string,
    [typed, ...more]: readonly string[],
    details: AuditEntry['details'] = {},
  ): Promise<CommandSubject> {
    const email = parseEmail(typed)
    if (more.length > 0) throw new UsageError(`Expected one email address, but also got: ${more.join(' ')}`)
    const user = await users.findBy({ email })
    return {
      entry: entryOf(action, user?.id ?? null, details),
      requireUser() {
        if (!user) throw new UsageError(`There is no user with the email address ${email}`, 'NOT_FOUND')
        return user
      },
    }
  }

  async function grantLicence(operands: readonly string[], options: Options): Promise<string> {
    const { type, storageBytes, days: duration } = parseOfferTerms(options)
    const details = detailsOf({ type, storageBytes, days: duration })
    const { entry, requireUser } = await findSubject('licence.grant', operands, details)
    return audit.run(entry, async (transaction) => {
      const { id: userId, email } = requireUser()
      const expiresAt = addDays(duration, now())
      const licence = { type, storageBytes, expiresAt }
      await licencesStore.grantByAdmin({ userId, licence, now: now() }, transaction)
      return `${email} holds a ${type} licence ${formatEnd(expiresAt)}.`
    })
  }

  async function extendLicence(operands: readonly string[], days: number): Promise<string> {
    const { entry, requireUser } = await findSubject('licence.extend', operands, { days })
    const licence = entry.subjectId === null ? null : await licences.licenceOf(entry.subjectId)
    return audit.run(entry, async (transaction) => {
      const { id: userId, email } = requireUser()
      if (!licence || licence.expiresAt === null)
        throw new UsageError('This licence never expires', 'LICENSE_UNLIMITED')
      const { type, storageBytes } = licence
      const expiresAt = addDays(days, Math.max(licence.expiresAt, now()))
      await licencesStore.grantByAdmin({ userId, licence: { type, storageBytes, expiresAt }, now: now() }, transaction)
      return `${email} holds a ${type} licence ${formatEnd(expiresAt)}.`
    })
  }

  const { users: runUsers, share } = createUserCommands({
    ...deps,
    findSubject,
    findUser: async (operands) => (await findSubject('user.show', operands)).requireUser(),
  })

  const commands: Readonly<Record<string, Command>> = {
    users: runUsers,
    share,
    audit: createAuditCommands(audit),
    billing: createBillingCommands(deps),
    async help() {
      return usage
    },
    async promote(operands) {
      const { entry, requireUser } = await findSubject('user.promote', operands)
      return audit.run(entry, async (transaction) => {
        const { id, email } = requireUser()
        await admins.add(id, now(), transaction)
        return `${email} is an admin.`
      })
    },
    async demote(operands) {
      const { entry, requireUser } = await findSubject('user.demote', operands)
      return audit.run(entry, async (transaction) => {
        const { id, email } = requireUser()
        const outcome = await admins.remove(id, now(), transaction)
        if (outcome === 'last')
          throw new UsageError('The last admin cannot be demoted. Promote another user first.', 'LAST_ADMIN')
        return outcome === 'none' ? `${email} is not an admin.` : `${email} is no longer an admin.`
      })
    },
    async ban(operands, options) {
      const days = parseNumberOption(options, 'days')
      const { entry, requireUser } = await findSubject('user.ban', operands, detailsOf({ days }))
      return audit.run(entry, async (transaction) => {
        const { id, email } = requireUser()
        const until = addDays(days ?? longestBanDays, now())
        await users.setBan(id, until, transaction)
        await authSessions.endAll(id, transaction)
        return `${email} is banned ${formatEnd(until)}.`
      })
    },
    async unban(operands) {
      const { entry, requireUser } = await findSubject('user.unban', operands)
      return audit.run(entry, async (transaction) => {
        const { id, email } = requireUser()
        await users.setBan(id, null, transaction)
        return `${email} can sign in again.`
      })
    },
    async 'confirm-clock'() {
      return audit.runOutside(entryOf('clock.confirm', null), async () => {
        await clock.confirm()
        return `${new Date(now()).toISOString()} is right: the server deletes what has expired by it within a minute.`
      })
    },
    async 'rotate-keys'() {
      return audit.runOutside(entryOf('keys.rotate', null), async () => {
        const id = await deps.rotateKeys()
        return `Key ${id} signs access tokens after the next server start. Users stay signed in.`
      })
    },
    async 'service-key'(_operands, options) {
      const days = parseNumberOption(options, 'days') ?? defaultServiceKeyDays
      return audit.runOutside(entryOf('keys.issue-service-key', null, { days }), () =>
        deps.issueServiceKey(days * daySeconds),
      )
    },
    async licence(operands, options) {
      const days = parseNumberOption(options, 'extend')
      return days === null ? grantLicence(operands, options) : extendLicence(operands, days)
    },
    async 'licence-key'(_operands, options) {
      const terms = parseOfferTerms(options)
      const id = randomUUIDv7()
      return audit.run(entryOf('offer.create-key', id, detailsOf({ ...terms })), (transaction) =>
        offers.createKey(terms, { id, transaction }),
      )
    },
    async 'magic-link'(_operands, options) {
      const terms = parseOfferTerms(options)
      const to = options['mail'] === undefined ? null : parseEmail(options['mail'])
      const id = randomUUIDv7()
      const details = detailsOf({ ...terms, emails: to === null ? 0 : 1 })
      const token = await audit.run(entryOf('offer.create-link', id, details), (transaction) =>
        offers.createLink(terms, to, { id, transaction }),
      )
      const link = new URL(`/invite/${token}`, publicUrl).href
      if (to !== null) await emailService.queueEmail({ kind: 'invitation', to, link, licence: describeLicence(terms) })
      return link
    },
  }

  return {
    /** Runs a command and yields the lines to print. */
    async *run(args: readonly string[]): AsyncGenerator<string> {
      const { command, operands, options } = parseCommandLine(args)
      const handler = Object.hasOwn(commands, command) ? commands[command] : undefined
      if (!handler) throw new UsageError(`Unknown command: ${command}`)
      const output = handler(operands, options)
      if (output instanceof Promise) yield await output
      else yield* output
    },
  }
}

const entryOf = (action: string, subjectId: string | null, details: AuditEntry['details'] = {}): AuditEntry => ({
  actorId: null,
  actorKind: 'command-line',
  action,
  subjectId,
  details,
})

/** The fields that have a value. */
const detailsOf = (fields: Readonly<Record<string, number | string | null>>): AuditEntry['details'] =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

function parseEmail(typed: string | undefined): string {
  const email = normalizeEmail(typed ?? '')
  if (email === null)
    throw new UsageError(typed === undefined ? 'An email address is required' : `${typed} is not a valid email address`)
  return email
}

const describeLicence = ({ type, storageBytes }: OfferTerms): string =>
  `${type} licence with ${Math.round(storageBytes / gigabyte)} GB`

const formatEnd = (end: number | null): string =>
  end === null ? 'without an end date' : `until ${new Date(end).toISOString().slice(0, 10)}`
