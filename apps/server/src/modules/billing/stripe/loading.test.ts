import { expect, test } from 'vitest'
import { startServerProcess } from '../../../testing/servers/server-process.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'

/** Makes every import of the SDK fail. */
const forbidden = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (/^stripe(\\/|$)/.test(specifier)) throw new Error('The SDK of Stripe is not to be loaded')
    return next(specifier, context)
  },
})`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(forbidden)}`

const stripe = { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_loading', STRIPE_URL: 'http://127.0.0.1:9' }

async function measureStart(settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now()
  const server = await startServerProcess({ DATA_DIR: createTestFolder(), ...settings })
  const seconds = (performance.now() - startedAt) / 1000
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const bytes = Number(/^sallyport_process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1])
  expect(await server.stop()).toBe(0)
  return `${seconds.toFixed(1)} s, ${Math.round(bytes / 1024 ** 2)} MB`
}

test('PLN-08 only a server with BILLING=stripe loads the SDK of Stripe', async () => {
  const measured = {
    none: await measureStart({ BILLING: 'none', NODE_OPTIONS }),
    test: await measureStart({ BILLING: 'test', NODE_OPTIONS }),
    stripe: await measureStart(stripe),
  }

  await expect(measureStart({ ...stripe, NODE_OPTIONS })).rejects.toThrow('not to be loaded')
  process.stdout.write(`start and memory by BILLING: ${JSON.stringify(measured)}\n`)
})
