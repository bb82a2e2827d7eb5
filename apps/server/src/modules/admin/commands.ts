import type { ServerContext } from '../../context.ts'
import { addDays } from '../accounts/licences/licence.rules.ts'
import type { LicenceOffers, OfferTerms } from '../accounts/licences/licence-offers.ts'
import type { LicencesStore } from '../accounts/licences/licences.store.ts'
import type { Licences } from '../accounts/licences/licences.ts'
import { normalizeEmail } from '../auth/users/identifier.rules.ts'
import type { UserRecord, UsersStore } from '../auth/users/users.store.ts'
import type { AdminsStore } from './admins.store.ts'
import { parseCommandLine, parseNumberOption, parseOfferTerms, UsageError } from './options.ts'
import { usage } from './usage.ts'
import { createUserCommands, type UserCommandsDeps } from './user-commands.ts'

interface CommandsDeps
  extends Omit<UserCommandsDeps, 'findUser'>,
    Pick<ServerContext, 'emailService' | 'publicUrl' | 'now'> {
  readonly users: UsersStore
  readonly admins: AdminsStore
  readonly licences: Licences
  readonly licencesStore: LicencesStore
  readonly offers: LicenceOffers
  /** Returns the id of the new key. */
  readonly rotateKeys: () => Promise<string>
  /** Issues a key for the admin calls of the auth provider. */
  readonly issueServiceKey: (seconds: number) => Promise<string>
}

type Options = ReturnType<typeof parseCommandLine>['options']
/** The text to print, or its lines one after another. */
type Output = Promise<string> | AsyncGenerator<string>
type Command = (operands: readonly string[], options: Options) => Output

const gigabyte = 1024 ** 3
const longestBanDays = 100 * 365
const defaultServiceKeyDays = 30
const daySeconds = 24 * 3600

/** The commands of the operator. */
export function createCommands(deps: CommandsDeps) {
  const { users, authSessions, admins, licences, licencesStore, offers, emailService, publicUrl, now } = deps

  async function findUser([typed, ...more]: readonly string[]): Promise<UserRecord> {
    const email = parseEmail(typed)
    if (more.length > 0) throw new UsageError(`Expected one email address, but also got: ${more.join(' ')}`)
    const user = await users.findBy({ email })
    if (!user) throw new UsageError(`There is no user with the email address ${email}`)
    return user
  }

  async function grantOrExtendLicence(user: UserRecord, options: Options): Promise<string> {
    const days = parseNumberOption(options, 'extend')
    if (days === null) {
      const { type, storageBytes, days: duration } = parseOfferTerms(options)
      const expiresAt = addDays(duration, now())
      await licencesStore.grantByAdmin({ userId: user.id, licence: { type, storageBytes, expiresAt }, now: now() })
      return `${user.email} holds a ${type} licence ${formatEnd(expiresAt)}.`
    }
    const { type, storageBytes, expiresAt } = await licences.licenceOf(user.id)
    if (expiresAt === null) throw new UsageError('This licence never expires')
    const end = addDays(days, Math.max(expiresAt, now()))
    await licencesStore.grantByAdmin({ userId: user.id, licence: { type, storageBytes, expiresAt: end }, now: now() })
    return `${user.email} holds a ${type} licence ${formatEnd(end)}.`
  }

  const { users: runUsers, share } = createUserCommands({ ...deps, findUser })

  const commands: Readonly<Record<string, Command>> = {
    users: runUsers,
    share,
    async help() {
      return usage
    },
    async promote(operands) {
      const { id, email } = await findUser(operands)
      await admins.add(id, now())
      return `${email} is an admin.`
    },
    async demote(operands) {
      const { id, email } = await findUser(operands)
      const outcome = await admins.remove(id)
      if (outcome === 'last') throw new UsageError('The last admin cannot be demoted. Promote another user first.')
      return outcome === 'none' ? `${email} is not an admin.` : `${email} is no longer an admin.`
    },
    async ban(operands, options) {
      const { id, email } = await findUser(operands)
      const until = addDays(parseNumberOption(options, 'days') ?? longestBanDays, now())
      await users.setBan(id, until)
      await authSessions.endAll(id)
      return `${email} is banned ${formatEnd(until)}.`
    },
    async unban(operands) {
      const { id, email } = await findUser(operands)
      await users.setBan(id, null)
      return `${email} can sign in again.`
    },
    async 'rotate-keys'() {
      return `Key ${await deps.rotateKeys()} signs access tokens after the next server start. Users stay signed in.`
    },
    async 'service-key'(_operands, options) {
      return deps.issueServiceKey((parseNumberOption(options, 'days') ?? defaultServiceKeyDays) * daySeconds)
    },
    async licence(operands, options) {
      return grantOrExtendLicence(await findUser(operands), options)
    },
    async 'licence-key'(_operands, options) {
      return offers.createKey(parseOfferTerms(options))
    },
    async 'magic-link'(_operands, options) {
      const terms = parseOfferTerms(options)
      const to = options['mail'] === undefined ? null : parseEmail(options['mail'])
      const link = new URL(`/invite/${await offers.createLink(terms, to)}`, publicUrl).href
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
