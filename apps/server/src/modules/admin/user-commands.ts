import { formatBytes } from '@sallyport/contract/formats'
import type { ServerContext } from '../../context.ts'
import { hashToken } from '../../token-hash.ts'
import type { Licences } from '../accounts/licences/licences.ts'
import type { AuthSessionsStore } from '../auth/sign-ins/auth-sessions.store.ts'
import type { UserRecord, UsersStore } from '../auth/users/users.store.ts'
import type { AccountSummariesStore } from './account-summaries.store.ts'
import type { Audit, AuditEntry } from './audit/audit.ts'
import { UsageError } from './options.ts'
import { userName } from './user-name.ts'
import { userStatus } from './users/user-actions.rules.ts'

/** The user that a command changes, who may not exist. */
export interface CommandSubject {
  readonly entry: AuditEntry
  /** Throws if there is no such user. */
  requireUser(): UserRecord
}

export interface UserCommandsDeps extends Pick<ServerContext, 'now'> {
  readonly users: Pick<UsersStore, 'list'>
  readonly authSessions: Pick<AuthSessionsStore, 'endAll'>
  readonly licences: Pick<Licences, 'licenceOf'>
  readonly summaries: AccountSummariesStore
  /** Throws if an external provider has the users. */
  readonly requireEmbeddedProvider: () => void
  /** Deletes a user with all rows and stored bytes. */
  readonly removeUser: (userId: string) => Promise<boolean>
  /** Sends the user an email. */
  readonly notifyMfaReset: (user: UserRecord) => Promise<void>
  readonly audit: Pick<Audit, 'run' | 'runOutside'>
  readonly findUser: (operands: readonly string[]) => Promise<UserRecord>
  readonly findSubject: (action: string, operands: readonly string[]) => Promise<CommandSubject>
}

type UserCommand = (operands: readonly string[]) => Promise<string>

const usersPerPage = 200

/** The commands that show and change users, and those that end shares. */
export function createUserCommands(deps: UserCommandsDeps) {
  const {
    users,
    authSessions,
    licences,
    summaries,
    audit,
    removeUser,
    findUser,
    findSubject,
    requireEmbeddedProvider,
    notifyMfaReset,
    now,
  } = deps

  const describeState = (user: UserRecord): string => (user.deleted_at === null ? userStatus(user, now()) : 'deleted')

  /** Lists the users page by page, newest first, so that the length of the list does not matter. */
  async function* list(): AsyncGenerator<string> {
    yield line(['USER', 'CREATED', 'LAST SIGN-IN', 'PLAN', 'STORAGE', 'STATE'])
    for (let offset = 0; ; offset += usersPerPage) {
      const page = await users.list({ limit: usersPerPage, offset, filter: undefined })
      const usedBytes = await summaries.usedBytes(page.map(({ id }) => id))
      for (const user of page) {
        const { type, storageBytes } = await licences.licenceOf(user.id)
        const storage = `${formatBytes(usedBytes.get(user.id) ?? 0)} of ${formatBytes(storageBytes)}`
        const [created, lastSignIn] = [formatDay(user.created_at), formatDay(user.last_sign_in_at)]
        yield line([userName(user), created, lastSignIn, type, storage, describeState(user)])
      }
      if (page.length < usersPerPage) return
    }
  }

  const ofOneUser: Readonly<Record<string, UserCommand>> = {
    async show(operands) {
      const user = await findUser(operands)
      const summary = await summaries.find(user.id, now())
      const licence = await licences.licenceOf(user.id)
      const end = licence.expiresAt === null ? 'without an end' : `until ${formatDay(licence.expiresAt)}`
      const factors = summary.factorTypes.length === 0 ? 'none' : summary.factorTypes.join(', ')
      return [
        userName(user),
        `  id                 ${user.id}`,
        `  created            ${formatDay(user.created_at)}`,
        `  last sign-in       ${formatDay(user.last_sign_in_at)}`,
        `  state              ${describeState(user)}${summary.isAdmin ? ', admin' : ''}`,
        `  plan               ${licence.type} ${end}`,
        `  storage            ${formatBytes(summary.usedBytes)} of ${formatBytes(licence.storageBytes)}`,
        `  files              ${summary.files}`,
        `  share links        ${summary.shares}`,
        `  messages           ${summary.messages}`,
        `  signed-in devices  ${summary.authSessions}`,
        `  second factors     ${factors}`,
        `  backup codes       ${summary.backupCodes}`,
      ].join('\n')
    },
    async delete(operands) {
      const { entry, requireUser } = await findSubject('user.delete', operands)
      return audit.runOutside(entry, async () => {
        requireEmbeddedProvider()
        const user = requireUser()
        await removeUser(user.id)
        await authSessions.endAll(user.id)
        return `${userName(user)} is deleted with everything stored for it.`
      })
    },
    async 'sign-out'(operands) {
      const { entry, requireUser } = await findSubject('user.sign-out', operands)
      return audit.run(entry, async (transaction) => {
        requireEmbeddedProvider()
        const user = requireUser()
        await authSessions.endAll(user.id, transaction)
        return `${userName(user)} is signed out on all devices.`
      })
    },
    async 'reset-mfa'(operands) {
      const { entry, requireUser } = await findSubject('user.reset-mfa', operands)
      const removed = await audit.run(entry, async (transaction) => {
        requireEmbeddedProvider()
        return summaries.resetMfa(requireUser().id, transaction)
      })
      const user = requireUser()
      if (removed === 0) return `${userName(user)} had no second factor, and is signed out on all devices.`
      await notifyMfaReset(user)
      return `${userName(user)} has no second factor any more, and is signed out on all devices.`
    },
  }

  return {
    users([subcommand = '', ...operands]: readonly string[]): Promise<string> | AsyncGenerator<string> {
      if (subcommand === 'list' && operands.length === 0) return list()
      const command = Object.hasOwn(ofOneUser, subcommand) ? ofOneUser[subcommand] : undefined
      if (!command) throw new UsageError('users expects list, show, delete, sign-out or reset-mfa')
      return command(operands)
    },
    async share([subcommand, link, ...more]: readonly string[]): Promise<string> {
      if (subcommand !== 'end' || link === undefined || more.length > 0) throw new UsageError('share expects end LINK')
      const token = parseShareToken(link)
      if (token === null) throw new UsageError('That is not a share link or the token of one')
      const id = await summaries.findShare(hashToken(token))
      const entry = {
        actorId: null,
        actorKind: 'command-line',
        action: 'share.end',
        subjectId: id,
        details: {},
      } as const
      return audit.run(entry, async (transaction) => {
        if (id === null || !(await summaries.removeShare(id, transaction)))
          throw new UsageError('There is no such share link', 'NOT_FOUND')
        return 'The share link no longer works.'
      })
    },
  }
}

/** Returns the token of a share link, or of the token itself. The key behind `#` is neither needed nor used. */
function parseShareToken(link: string): string | null {
  const [, token] = /^(?:https?:\/\/[^/]+)?(?:\/?s\/)?([\w-]{22})(?:[#?].*)?$/.exec(link.trim()) ?? []
  return token ?? null
}

const line = (columns: readonly string[]): string => columns.join('\t')

const formatDay = (time: number | null): string => (time === null ? 'never' : new Date(time).toISOString().slice(0, 10))
