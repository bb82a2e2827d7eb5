import { authProvider } from '@sallyport/contract/auth-calls'
import type { HandlerInput } from '@sallyport/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { AuthProtocol } from '../embedded-provider.ts'
import type { AdminUserInput } from '../users/administration.ts'
import { withoutNulls } from './request-fields.ts'

/** The admin endpoints, which require a service key. */
export function adminRoutes(scope: FastifyInstance, { administration, links }: AuthProtocol): void {
  mountUsers(scope, administration)
  mountFactors(scope, administration)

  mount(scope, authProvider.invite, async ({ headers, query, body }) => {
    await administration.requireServiceKey(headers.authorization)
    const { email, data: metadata = {} } = withoutNulls(body)
    return links.invite({ email, metadata, redirectTo: query.redirect_to })
  })

  mount(scope, authProvider.generateLink, async ({ headers, query, body }) => {
    await administration.requireServiceKey(headers.authorization)
    const { type = '', email, new_email, password, data: metadata = {}, redirect_to } = withoutNulls(body)
    return links.generate({
      type,
      email,
      metadata,
      newEmail: new_email,
      credential: password,
      redirectTo: query.redirect_to ?? redirect_to,
    })
  })
}

function mountUsers(scope: FastifyInstance, administration: AuthProtocol['administration']): void {
  mount(scope, authProvider.createUser, async ({ headers, body }) => {
    await administration.requireServiceKey(headers.authorization)
    return administration.create(toAdminUserInput(body))
  })

  mount(scope, authProvider.listUsers, async ({ headers, query, setHeader }) => {
    await administration.requireServiceKey(headers.authorization)
    const { page, per_page, filter } = query
    const found = await administration.list({
      page: page || undefined,
      perPage: per_page || undefined,
      filter: filter ?? undefined,
    })
    setHeader('x-total-count', String(found.total))
    setHeader('link', pageLinks(found))
    return { users: found.users, aud: 'authenticated' }
  })

  mount(scope, authProvider.findUser, async ({ headers, params }) => {
    await administration.requireServiceKey(headers.authorization)
    return administration.find(params.id)
  })

  mount(scope, authProvider.updateUser, async ({ headers, params, body }) => {
    await administration.requireServiceKey(headers.authorization)
    return administration.update(params.id, toAdminUserInput(body))
  })

  mount(scope, authProvider.deleteUser, async ({ headers, params, body }) => {
    await administration.requireServiceKey(headers.authorization)
    await administration.remove(params.id, { isSoft: body?.should_soft_delete === true })
    return {}
  })
}

function mountFactors(scope: FastifyInstance, administration: AuthProtocol['administration']): void {
  mount(scope, authProvider.listFactors, async ({ headers, params }) => {
    await administration.requireServiceKey(headers.authorization)
    return administration.listFactors(params.id)
  })

  mount(scope, authProvider.deleteFactor, async ({ headers, params }) => {
    await administration.requireServiceKey(headers.authorization)
    return administration.removeFactor(params.id, params.factorId)
  })
}

type AdminUserBody = HandlerInput<typeof authProvider.createUser | typeof authProvider.updateUser, never>['body']

function toAdminUserInput(body: AdminUserBody): AdminUserInput {
  const { password, password_hash, email_confirm, phone_confirm, user_metadata, app_metadata, ban_duration, ...rest } =
    withoutNulls(body)
  return {
    ...rest,
    credential: password,
    credentialHash: password_hash,
    emailConfirmed: email_confirm,
    phoneConfirmed: phone_confirm,
    userMetadata: user_metadata,
    appMetadata: app_metadata,
    banDuration: ban_duration,
  }
}

interface UserPage {
  readonly page: number
  readonly lastPage: number
  readonly perPage: number
}

function pageLinks({ page, lastPage, perPage }: UserPage): string {
  const link = (to: number, rel: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [...(page < lastPage ? [link(page + 1, 'next')] : []), link(lastPage, 'last')].join(', ')
}
