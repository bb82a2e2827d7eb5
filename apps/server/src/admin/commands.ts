import type { SignInsStore } from '../auth/sign-ins/sign-ins.store.ts'
import { emailNormalForm } from '../auth/users/identifier.rules.ts'
import type { UserRecord, UsersStore } from '../auth/users/users.store.ts'
import { endAfter } from '../licences/licence.rules.ts'
import type { LicenceOffers, OfferTerms } from '../licences/licence-offers.ts'
import type { LicencesStore } from '../licences/licences.store.ts'
import type { Licences } from '../licences/licences.ts'
import type { Post } from '../post/post.ts'
import type { AdminsStore } from './admins.store.ts'
import { readLine, readNumber, readTerms, UsageError } from './options.ts'
import { usage } from './usage.ts'

interface Parts {
  readonly users: UsersStore
  readonly signIns: SignInsStore
  readonly admins: AdminsStore
  readonly licences: Licences
  readonly licencesStore: LicencesStore
  readonly offers: LicenceOffers
  readonly post: Post
  /** Answers the id of the new key. */
  readonly rotateKeys: () => Promise<string>
  readonly publicUrl: URL
  readonly now: () => number
}

type Options = ReturnType<typeof readLine>['options']
type Command = (operands: readonly string[], options: Options) => Promise<string>

const gigabyte = 1024 ** 3
const longestBanDays = 100 * 365

/** What an operator can do from a terminal; each command answers with what is to be printed. */
export function createCommands(parts: Parts) {
  const { users, signIns, admins, licences, licencesStore, offers, post, rotateKeys, publicUrl, now } = parts

  async function find([typed, ...more]: readonly string[]): Promise<UserRecord> {
    const email = readAddress(typed)
    if (more.length > 0) throw new UsageError(`One address at a time, please: ${more.join(' ')} is left over`)
    const user = await users.findBy({ email })
    if (!user) throw new UsageError(`Nobody has the address ${email}`)
    return user
  }

  async function giveLicence(user: UserRecord, options: Options): Promise<string> {
    const days = readNumber(options, 'extend')
    if (days === null) {
      const { type, storageBytes, days: lasting } = readTerms(options)
      const expiresAt = endAfter(lasting, now())
      await licencesStore.decide({ userId: user.id, licence: { type, storageBytes, expiresAt }, now: now() })
      return `${user.email} holds a ${type} licence ${untilWhen(expiresAt)}.`
    }
    const { type, storageBytes, expiresAt } = await licences.licenceOf(user.id)
    if (expiresAt === null) throw new UsageError('This licence never ends')
    const end = endAfter(days, Math.max(expiresAt, now()))
    await licencesStore.decide({ userId: user.id, licence: { type, storageBytes, expiresAt: end }, now: now() })
    return `${user.email} holds a ${type} licence ${untilWhen(end)}.`
  }

  const commands: Readonly<Record<string, Command>> = {
    async help() {
      return usage
    },
    async promote(operands) {
      const { id, email } = await find(operands)
      await admins.add(id, now())
      return `${email} is an admin.`
    },
    async demote(operands) {
      const { id, email } = await find(operands)
      const outcome = await admins.remove(id)
      if (outcome === 'last') throw new UsageError('The last admin stays one; promote somebody else first')
      return outcome === 'none' ? `${email} was no admin.` : `${email} is no admin any more.`
    },
    async ban(operands, options) {
      const { id, email } = await find(operands)
      const until = endAfter(readNumber(options, 'days') ?? longestBanDays, now())
      await users.setBan(id, until)
      await signIns.endAll(id)
      return `${email} is kept out ${untilWhen(until)}.`
    },
    async unban(operands) {
      const { id, email } = await find(operands)
      await users.setBan(id, null)
      return `${email} may sign in again.`
    },
    async 'rotate-keys'() {
      return `From the next start of the server on, key ${await rotateKeys()} signs. Nobody is signed out by that.`
    },
    async licence(operands, options) {
      return giveLicence(await find(operands), options)
    },
    async 'licence-key'(_operands, options) {
      return offers.makeKey(readTerms(options))
    },
    async 'magic-link'(_operands, options) {
      const terms = readTerms(options)
      const to = options['mail'] === undefined ? null : readAddress(options['mail'])
      const link = new URL(`/invite/${await offers.makeLink(terms, to)}`, publicUrl).href
      if (to !== null) await post.mail({ kind: 'invitation', to, link, licence: describe(terms) })
      return link
    },
  }

  return {
    async run(args: readonly string[]): Promise<string> {
      const { command, operands, options } = readLine(args)
      const chosen = Object.hasOwn(commands, command) ? commands[command] : undefined
      if (!chosen) throw new UsageError(`There is no command ${command}`)
      return chosen(operands, options)
    },
  }
}

function readAddress(typed: string | undefined): string {
  const email = emailNormalForm(typed ?? '')
  if (email === null) throw new UsageError(typed === undefined ? 'Which address?' : `${typed} is no address`)
  return email
}

const describe = ({ type, storageBytes }: OfferTerms): string =>
  `${type} licence with ${Math.round(storageBytes / gigabyte)} GB`

const untilWhen = (end: number | null): string =>
  end === null ? 'without an end' : `until ${new Date(end).toISOString().slice(0, 10)}`
