import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type PostgresProcess, startPostgres } from '../../../apps/server/src/testing/engines/postgres-process.ts'
import { createRedisProcess } from '../../../apps/server/src/testing/engines/redis-process.ts'
import { type MailServer, startMailServer } from '../account/mail-server.ts'
import { test as base, expect } from '../journey.ts'
import { type Balancer, startBalancer } from './nodes.ts'
import { type RunningServer, startServer } from './server.ts'

export type TwoNodes = readonly [one: RunningServer, other: RunningServer]

interface NodesJourney {
  readonly database: ShiftableDatabase
  /** The PostgreSQL database that both nodes use. */
  readonly databaseUrl: string
  /** Sets the clocks of both nodes and of their database this far ahead of the machine's. */
  readonly setClocks: (aheadMs: number) => Promise<void>
  readonly mail: MailServer
  readonly nodes: TwoNodes
  /** A load balancer that sends the sockets of each path to both nodes alternately. */
  readonly balancer: Balancer
  /** Opens a page of another user at a node, with this IP address or a unique one. */
  readonly openPageAt: (node: Pick<RunningServer, 'url'>, address?: string) => Promise<Page>
}

interface WorkerFixtures {
  readonly postgres: PostgresProcess
}

interface ShiftableDatabase {
  readonly url: string
  readonly setClock: (aheadMs: number) => Promise<void>
}

let databases = 0

/** Nodes measure the offset to the database clock every few seconds, so that clock has to move with them. */
const shiftedClockSql = (name: string): string => `
  create table moved_clock (ahead_ms bigint not null);
  insert into moved_clock values (0);
  create function public.clock_timestamp() returns timestamptz language sql as $$
    select pg_catalog.clock_timestamp() + (select ahead_ms from public.moved_clock) * interval '1 millisecond'
  $$;
  alter database ${name} set search_path = public, pg_catalog;
`

/** Journeys against two nodes of one instance that share a PostgreSQL, a Redis, a folder and a mail server. */
export const test = base.extend<NodesJourney, WorkerFixtures>({
  postgres: [
    async ({ browserName: _ }, use) => {
      const postgres = await startPostgres()
      await use(postgres)
      await postgres.stop()
    },
    { scope: 'worker' },
  ],
  database: async ({ postgres }, use) => {
    databases += 1
    const name = `journey_${databases}`
    const url = await postgres.createDatabase(name)
    await postgres.run(name, shiftedClockSql(name))
    await use({ url, setClock: (aheadMs) => postgres.run(name, `update moved_clock set ahead_ms = ${aheadMs}`) })
  },
  databaseUrl: async ({ database }, use) => use(database.url),
  setClocks: async ({ database, nodes }, use) =>
    use(async (aheadMs) => {
      await Promise.all([database.setClock(aheadMs), ...nodes.map((node) => node.setClock(aheadMs))])
    }),
  mail: async ({ browserName: _ }, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.stop()
  },
  nodes: async ({ databaseUrl, mail }, use) => {
    const redis = createRedisProcess()
    await redis.start()
    const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-two-nodes-'))
    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      SMTP_URL: mail.url,
      VERIFY_ADDRESSES: 'off',
      // A proxy header gives the browsers of this machine different IP addresses.
      TRUSTED_PROXIES: '127.0.0.1',
    }
    const one = await startServer({ dataFolder, environment })
    const nodes: TwoNodes = [one, await startServer({ dataFolder, environment })]
    await use(nodes)
    for (const node of nodes) await node.kill()
    await redis.remove()
    rmSync(dataFolder, { recursive: true, force: true })
  },
  balancer: async ({ nodes }, use) => {
    const balancer = await startBalancer(() => nodes)
    await use(balancer)
    balancer.close()
  },
  server: async ({ nodes }, use) => use(nodes[0]),
  openPageAt: async ({ anotherBrowser }, use) => {
    let visitors = 0
    await use(async (node, address) => {
      visitors += 1
      const extraHTTPHeaders = { 'x-forwarded-for': address ?? `198.18.${visitors}.1` }
      return (await anotherBrowser({ baseURL: node.url, extraHTTPHeaders })).newPage()
    })
  },
})

/** The node for a call when calls alternate between both. */
export const nodeOf = (nodes: TwoNodes, index: number): RunningServer => (index % 2 === 0 ? nodes[0] : nodes[1])

export { expect }
