import { parseOrganizationName } from '@sallyport/contract/organization-name'
import { queryOptions } from '@tanstack/react-query'
import type { Auth } from '#/lib/api/auth.ts'
import { signUpTypes } from './sign-up-types.ts'

/** The name of the organization whose seats were not paid for at the sign-up; null without one. Asks no server. */
export const pendingOrganizationQuery = (auth: Auth) =>
  queryOptions({
    queryKey: ['pending-organization'],
    async queryFn() {
      const { data } = await (await auth.provider()).getSession()
      const { signup_type, organization_name } = data.session?.user.user_metadata ?? {}
      if (signup_type !== signUpTypes.pending || typeof organization_name !== 'string') return null
      const parsed = parseOrganizationName(organization_name)
      return 'error' in parsed ? null : parsed.name
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
