import { accounts } from './accounts.ts'
import type { EndpointSpec } from './endpoint.ts'
import { files } from './files.ts'
import { live } from './live.ts'
import { sharing } from './sharing.ts'
import { system } from './system.ts'

/** Every call of the product's own interface, feature by feature. */
export const endpoints: readonly EndpointSpec[] = [accounts, files, sharing, live, system].flatMap((feature) =>
  Object.values<EndpointSpec>(feature),
)
