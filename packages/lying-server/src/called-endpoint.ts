import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { endpoints } from '@sallyport/contract/interface'

interface ContractCall {
  /** Method and path as in the contract: `GET /api/file/:id/key`. */
  readonly name: string
  readonly endpoint: EndpointSpec
  readonly pattern: RegExp
}

const describeCall = (endpoint: EndpointSpec, prefix = ''): ContractCall => ({
  name: `${endpoint.method} ${prefix}${endpoint.path}`,
  endpoint,
  pattern: new RegExp(`^${prefix}${endpoint.path.replaceAll('.', '\\.').replace(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')}$`),
})

/** Every call of the contract, including those of the authentication provider. */
export const contractCalls: readonly ContractCall[] = [
  ...endpoints.map((endpoint) => describeCall(endpoint)),
  ...Object.values<EndpointSpec>(authProvider).map((endpoint) => describeCall(endpoint, authPrefix)),
]

export interface MatchedCall extends ContractCall {
  readonly params: Readonly<Record<string, string>>
}

/** Finds the call of the contract that a request matches. Throws for an unknown request. */
export function findCall(method: string, path: string): MatchedCall {
  for (const candidate of contractCalls) {
    const match = candidate.endpoint.method === method ? candidate.pattern.exec(path) : null
    if (match) return { ...candidate, params: { ...match.groups } }
  }
  throw new Error(`The contract has no call ${method} ${path}`)
}
