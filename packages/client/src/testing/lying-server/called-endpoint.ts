import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { endpoints } from '@sallyport/contract/interface'

interface Known {
  /** Method and path as in the contract: `GET /api/file/:id/key`. */
  readonly name: string
  readonly endpoint: EndpointSpec
  readonly pattern: RegExp
}

const described = (endpoint: EndpointSpec, prefix = ''): Known => ({
  name: `${endpoint.method} ${prefix}${endpoint.path}`,
  endpoint,
  pattern: new RegExp(`^${prefix}${endpoint.path.replaceAll('.', '\\.').replace(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')}$`),
})

/** Every call of the contract, the authentication provider's among them. */
export const contractCalls: readonly Known[] = [
  ...endpoints.map((endpoint) => described(endpoint)),
  ...Object.values<EndpointSpec>(authProvider).map((endpoint) => described(endpoint, authPrefix)),
]

export interface Called extends Known {
  readonly params: Readonly<Record<string, string>>
}

/** The call of the contract that a request makes. Throws for a request that the contract does not know. */
export function calledEndpoint(method: string, path: string): Called {
  for (const known of contractCalls) {
    const match = known.endpoint.method === method ? known.pattern.exec(path) : null
    if (match) return { ...known, params: { ...match.groups } }
  }
  throw new Error(`The contract has no call ${method} ${path}`)
}
