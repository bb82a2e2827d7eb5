import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type PostgresProcess, startPostgres } from '../../apps/server/src/testing/postgres-process.ts'
import { aRedis } from '../../apps/server/src/testing/redis-process.ts'
import { test as base, expect } from './journey.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { type Balancer, startBalancer } from './nodes.ts'
import { type RunningServer, startServer } from './server.ts'

export type TwoNodes = readonly [one: RunningServer, other: RunningServer]

interface NodesJourney {
  readonly database: MovableDatabase
  /** The PostgreSQL database that both nodes use. */
  readonly databaseUrl: string
  /** Sets the clocks of both nodes, and of the database that they follow, so far ahead of the machine's. */
  readonly setClocks: (aheadMs: number) => Promise<void>
  readonly mail: MailServer
  readonly nodes: TwoNodes
  /** One address for both nodes: sockets of a path go to one and the other alternately. */
  readonly balancer: Balancer
  /** Opens a browser of another person, with this address or one that nobody else has, whose pages load from there. */
  readonly visit: (node: Pick<RunningServer, 'url'>, address?: string) => Promise<Page>
}

interface SharedByJourneys {
  readonly postgres: PostgresProcess
}

interface MovableDatabase {
  readonly url: string
  readonly setClock: (aheadMs: number) => Promise<void>
}

let databases = 0

/** Nodes measure every few seconds how far their clocks are from the database's, so that it has to move with them. */
const movableClock = (name: string): string => `
  create table moved_clock (ahead_ms bigint not null);
  insert into moved_clock values (0);
  create function public.clock_timestamp() returns timestamptz language sql as $$
    select pg_catalog.clock_timestamp() + (select ahead_ms from public.moved_clock) * interval '1 millisecond'
  $$;
  alter database ${name} set search_path = public, pg_catalog;
`

/** Journeys at two nodes of one instance, which share a PostgreSQL, a Redis, a folder and a mail server. */
export const test = base.extend<NodesJourney, SharedByJourneys>({
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
    await postgres.run(name, movableClock(name))
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
    const redis = aRedis()
    await redis.start()
    const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-two-nodes-'))
    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      SMTP_URL: mail.url,
      VERIFY_ADDRESSES: 'off',
      // Browsers of this machine stand for people everywhere, by the header of a proxy.
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
  visit: async ({ anotherBrowser }, use) => {
    let visitors = 0
    await use(async (node, address) => {
      visitors += 1
      const extraHTTPHeaders = { 'x-forwarded-for': address ?? `198.18.${visitors}.1` }
      return (await anotherBrowser({ baseURL: node.url, extraHTTPHeaders })).newPage()
    })
  },
})

/** The node whose turn it is, when calls go to one and the other alternately. */
export const nodeOf = (nodes: TwoNodes, turn: number): RunningServer => (turn % 2 === 0 ? nodes[0] : nodes[1])

export { expect }
