import { setTimeout as pause } from 'node:timers/promises'
import { requestLimits } from '@sallyport/contract/server-limits'
import { inParallel } from './repeat.ts'

const clients = 16
const nested = '['.repeat(450_000)
const objects = `[${'{},'.repeat(300_000)}{}]`
/** As many values as allowed in a body of the allowed length. */
const allowed = `{${Array.from({ length: requestLimits.jsonValues - 2 }, (_, index) => `"k${index}":[]`)}}`

/** 16 clients of one address send a megabyte of deep or numerous JSON to calls that need no account. */
export const sendCostlyJson = (url: string) => send(url, [nested, objects])

/** The same with bodies within the limits. */
export const sendAllowedJson = (url: string) => send(url, [allowed])

async function send(url: string, bodies: readonly string[]): Promise<() => Promise<void>> {
  const paths = ['/api/login', '/auth/v1/token?grant_type=password']
  return async () => {
    await inParallel(clients, async (client) => {
      for (let count = client; ; count += 1) {
        const body = bodies[count % bodies.length] ?? ''
        const path = paths[Math.floor(count / bodies.length) % paths.length] ?? ''
        const headers = { 'content-type': 'application/json' }
        await fetch(url + path, { method: 'POST', headers, body })
          .then((response) => response.arrayBuffer())
          .catch(() => pause(100))
      }
    })
  }
}
