import type { ServerContext } from '../../../context.ts'
import type { Job } from '../../../jobs.ts'
import type { ReportingProvider } from '../billing-provider.ts'
import type { PaymentEvents } from './payment-events.ts'
import type { StalePayments } from './stale-payments.ts'

interface PaymentJobsDeps extends Pick<ServerContext, 'log'> {
  readonly provider: Pick<ReportingProvider, 'listSubscriptions'>
  readonly events: Pick<PaymentEvents, 'compare'>
  readonly stalePayments: Pick<StalePayments, 'run'>
}

const readEveryMs = 5000
const compareEveryMs = 6 * 60 * 60 * 1000
const maxNamed = 20

/** The jobs of a provider that reports changes: they read what a stopped node has left, and what no event has reported. */
export function createPaymentJobs({ provider, events, stalePayments, log }: PaymentJobsDeps): Job[] {
  return [
    { name: 'stale payments', everyMs: readEveryMs, run: stalePayments.run },
    {
      name: 'payment comparison',
      everyMs: compareEveryMs,
      async run(signal) {
        const unknown: string[] = []
        for await (const subscription of provider.listSubscriptions()) {
          if (signal.aborted) return
          if (!(await events.compare(subscription))) unknown.push(subscription.providerId)
        }
        if (unknown.length > 0)
          log.warn(
            { count: unknown.length, subscriptions: unknown.slice(0, maxNamed) },
            'the payment provider has subscriptions that this server does not know: cancel them there',
          )
      },
    },
  ]
}
