import { authProvider } from '@sallyport/contract/auth-calls'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../http/mount.ts'
import type { Protocol } from '../embedded-provider.ts'
import type { UserFacts } from '../users/administration.ts'

/** The calls of whoever holds a service key. */
export function adminRoutes(scope: FastifyInstance, { administration, links }: Protocol): void {
  mountUsers(scope, administration)
  mountFactors(scope, administration)

  mount(scope, authProvider.invite, async ({ headers, query, body }) => {
    await administration.requireService(headers.authorization)
    return links.invite({
      email: body.email ?? undefined,
      newEmail: undefined,
      credential: undefined,
      metadata: body.data ?? {},
      redirectTo: query.redirect_to,
    })
  })

  mount(scope, authProvider.generateLink, async ({ headers, query, body }) => {
    await administration.requireService(headers.authorization)
    return links.generate({
      type: body.type ?? '',
      email: body.email ?? undefined,
      newEmail: body.new_email ?? undefined,
      credential: body.password ?? undefined,
      metadata: body.data ?? {},
      redirectTo: query.redirect_to ?? body.redirect_to ?? undefined,
    })
  })
}

function mountUsers(scope: FastifyInstance, administration: Protocol['administration']): void {
  mount(scope, authProvider.createUser, async ({ headers, body }) => {
    await administration.requireService(headers.authorization)
    return administration.create(factsOf(body))
  })

  mount(scope, authProvider.listUsers, async ({ headers, query, say }) => {
    await administration.requireService(headers.authorization)
    const { page, per_page, filter } = query
    const found = await administration.list({
      page: page || undefined,
      perPage: per_page || undefined,
      filter: filter ?? undefined,
    })
    say('x-total-count', String(found.total))
    say('link', pageLinks(found))
    return { users: found.users, aud: 'authenticated' }
  })

  mount(scope, authProvider.findUser, async ({ headers, params }) => {
    await administration.requireService(headers.authorization)
    return administration.find(params.id)
  })

  mount(scope, authProvider.updateUser, async ({ headers, params, body }) => {
    await administration.requireService(headers.authorization)
    return administration.update(params.id, factsOf(body))
  })

  mount(scope, authProvider.deleteUser, async ({ headers, params, body }) => {
    await administration.requireService(headers.authorization)
    await administration.remove(params.id, { isSoft: body?.should_soft_delete === true })
    return {}
  })
}

function mountFactors(scope: FastifyInstance, administration: Protocol['administration']): void {
  mount(scope, authProvider.listFactors, async ({ headers, params }) => {
    await administration.requireService(headers.authorization)
    return administration.listFactors(params.id)
  })

  mount(scope, authProvider.deleteFactor, async ({ headers, params }) => {
    await administration.requireService(headers.authorization)
    return administration.removeFactor(params.id, params.factorId)
  })
}

type Sent = Partial<Record<'id' | 'email' | 'phone' | 'password' | 'password_hash' | 'ban_duration', string | null>> &
  Partial<Record<'email_confirm' | 'phone_confirm', boolean | null>> &
  Partial<Record<'user_metadata' | 'app_metadata', Record<string, unknown> | null>>

function factsOf(body: { [Name in keyof Sent]?: Sent[Name] | undefined }): UserFacts {
  return {
    id: body.id ?? undefined,
    email: body.email ?? undefined,
    phone: body.phone ?? undefined,
    credential: body.password ?? undefined,
    credentialHash: body.password_hash ?? undefined,
    emailConfirmed: body.email_confirm ?? undefined,
    phoneConfirmed: body.phone_confirm ?? undefined,
    userMetadata: body.user_metadata ?? undefined,
    appMetadata: body.app_metadata ?? undefined,
    banDuration: body.ban_duration ?? undefined,
  }
}

interface FoundPage {
  readonly page: number
  readonly lastPage: number
  readonly perPage: number
}

function pageLinks({ page, lastPage, perPage }: FoundPage): string {
  const link = (to: number, rel: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [...(page < lastPage ? [link(page + 1, 'next')] : []), link(lastPage, 'last')].join(', ')
}
