import { onTestFinished } from 'vitest'
import { launchStripeServer, type StripeServer, type StripeServerOptions } from './http/launch-stripe-server.ts'

export type { StripeServer } from './http/launch-stripe-server.ts'

/** Starts a test server of Stripe’s API that stops at the end of the test. */
export async function startStripeServer(options: StripeServerOptions = {}): Promise<StripeServer> {
  const server = await launchStripeServer(options)
  onTestFinished(server.stop)
  return server
}
