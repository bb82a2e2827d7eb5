import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { adminSettings, runAdmin } from '../../testing/servers/admin-command.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { startStripeServer } from '../../testing/stripe/stripe-server.ts'

onBothDatabases(
  'billing setup creates prices, portal and webhook, is repeatable, and is in the audit log',
  async (stage) => {
    const stripe = await startStripeServer()
    const settings = {
      ...adminSettings(stage),
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: stripe.key,
      STRIPE_URL: stripe.url,
    }
    const server = await startWholeServer(adminSettings(stage))
    await server.stop()
    const writes = () => stripe.requests.filter(({ method }) => method !== 'GET').length
    const listActions = () => stage.db.selectFrom('admin_audit').select(['action', 'outcome']).orderBy('seq').execute()

    const dry = await runAdmin(settings, 'billing', 'setup', '--dry-run')
    expect([dry.code, writes(), await listActions()]).toEqual([0, 0, []])
    const first = await runAdmin(settings, 'billing', 'setup')
    const writesOfFirst = writes()
    const second = await runAdmin(settings, 'billing', 'setup')
    const denied = await runAdmin({ ...settings, STRIPE_SECRET_KEY: 'sk_test_other' }, 'billing', 'setup')

    expect([first.code, writesOfFirst]).toEqual([0, 6])
    expect(first.stdout).toMatch(/Set STRIPE_WEBHOOK_SECRET=whsec_\w+ and restart the server/)
    expect([second.code, writes()]).toEqual([0, writesOfFirst])
    expect(second.stdout).not.toContain('whsec_')
    expect([denied.code, denied.stderr]).toEqual([
      1,
      expect.stringMatching(/^Stripe: Invalid API Key provided \(req_\w+\)$/),
    ])
    expect(await listActions()).toEqual([
      { action: 'billing.setup', outcome: 'done' },
      { action: 'billing.setup', outcome: 'done' },
      { action: 'billing.setup', outcome: 'failed' },
    ])
  },
)

onBothDatabases('billing setup needs BILLING=stripe, and billing has no other command', async (stage) => {
  const server = await startWholeServer(adminSettings(stage))
  await server.stop()

  const unset = await runAdmin(adminSettings(stage), 'billing', 'setup')
  const unknown = await runAdmin(adminSettings(stage), 'billing', 'remove')

  expect([unset.code, unset.stderr.split('\n')[0]]).toEqual([
    1,
    'billing setup needs BILLING=stripe and STRIPE_SECRET_KEY, as for the server',
  ])
  expect([unknown.code, unknown.stderr.split('\n')[0]]).toEqual([1, 'billing expects setup'])
})
