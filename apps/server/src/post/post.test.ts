import { randomUUIDv7 } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { expect, onTestFinished } from 'vitest'
import { createLogger } from '../http/logger.ts'
import { onBothDatabases, type Stage } from '../testing/databases.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { openPost } from './open-post.ts'
import type { Letter } from './post.ts'
import { createPostQueueStore } from './post-queue.store.ts'

const minute = 60_000
const link = 'https://files.example.org/auth/confirm?token_hash=secret-part&type=email'
const aLetter: Letter = { kind: 'confirm-address', to: 'ann@example.org', link }

interface Setting {
  readonly smtpUrl?: string
  readonly smsUrl?: string
}

/** The post of one node; several share the stage's database and secrets. */
function aNode({ db, folder, now }: Stage, { smtpUrl, smsUrl }: Setting = {}) {
  const log: string[] = []
  const { office, outbox, jobs } = openPost({
    store: createPostQueueStore(db),
    secretsFolder: join(folder, 'secrets'),
    dataFolder: folder,
    publicUrl: new URL('https://files.example.org'),
    smtpUrl,
    smsUrl,
    mailFrom: undefined,
    now,
    log: createLogger('info', { write: (line) => void log.push(line) }),
  })
  onTestFinished(() => office.close())
  return { office, outbox, jobs, log, round: () => office.job.run(new AbortController().signal) }
}

const waitingIn = ({ db }: Stage) => db.selectFrom('post_queue').selectAll().execute()
const isDone = (stage: Stage) => expect.poll(() => waitingIn(stage)).toEqual([])

onBothDatabases('ACC-14 a letter goes out at once, as text and as HTML with nothing to fetch', async (stage) => {
  const mailServer = await startMailServer()
  const { office } = aNode(stage, { smtpUrl: mailServer.url })

  await office.mail(aLetter)
  await isDone(stage)
  await office.close()

  const [letter] = mailServer.letters
  expect(mailServer.letters).toHaveLength(1)
  expect(letter).toMatchObject({
    from: { name: 'Sallyport', address: 'sallyport@files.example.org' },
    to: [{ address: 'ann@example.org' }],
    subject: 'Please verify your email address',
  })
  expect(letter?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  expect(letter?.text).toContain(link)
  expect(letter?.html).toContain('href="https://files.example.org/auth/confirm?token_hash=secret-part&#38;type=email"')
  expect(letter?.html).toContain('prefers-color-scheme: dark')
  expect(letter?.html).not.toMatch(/<(img|script|link|iframe)|url\(|src=/i)
})

onBothDatabases('a letter waits while the mail server is away, over a restart, until it is back', async (stage) => {
  const gone = await startMailServer()
  await gone.stop()
  const before = aNode(stage, { smtpUrl: gone.url })
  await before.office.mail(aLetter)
  await expect.poll(() => before.log.join()).toContain('could not be delivered yet')
  await before.office.close()
  const back = await startMailServer({ port: gone.port })
  const after = aNode(stage, { smtpUrl: gone.url })

  await after.round()
  await after.office.close()
  expect(back.letters).toHaveLength(0)

  stage.advance(minute)
  const later = aNode(stage, { smtpUrl: gone.url })
  await later.round()
  await isDone(stage)

  expect(back.letters).toHaveLength(1)
  expect(before.log.join()).not.toMatch(/ann@|secret-part/)
})

onBothDatabases('attempts grow rarer, and after a day a letter is given up without naming anybody', async (stage) => {
  const mailServer = await startMailServer({ refuseWith: 451 })
  const { office, round, log } = aNode(stage, { smtpUrl: mailServer.url })
  const attemptsAt: number[] = []
  const start = stage.now()
  await office.mail(aLetter)

  for (const count of [1, 2, 3, 4, 5, 6, 7]) {
    await expect.poll(() => waitingIn(stage)).toMatchObject([{ attempts: count, claim: null }])
    attemptsAt.push((stage.now() - start) / 1000)
    const [waiting] = await waitingIn(stage)
    stage.advance((waiting?.next_at ?? 0) - stage.now())
    await round()
  }
  await expect.poll(() => waitingIn(stage)).toMatchObject([{ attempts: 8, claim: null }])
  stage.advance(24 * 60 * minute)
  await round()
  await isDone(stage)

  expect(attemptsAt).toEqual([0, 15, 45, 105, 225, 465, 945])
  expect(mailServer.attempts).toHaveLength(8)
  expect(log.at(-1)).toContain('given up')
  expect(log.join()).not.toMatch(/ann@|secret-part|no letters/)
})

onBothDatabases('a recipient that is refused for good is not tried again', async (stage) => {
  const mailServer = await startMailServer({ refuseWith: 550 })
  const { office, log } = aNode(stage, { smtpUrl: mailServer.url })

  await office.mail(aLetter)
  await isDone(stage)

  expect(mailServer.attempts).toEqual(['ann@example.org'])
  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ level: 50, channel: 'mail', attempts: 1, answer: 550 })
  expect(log.join()).not.toContain('ann@')
})

onBothDatabases('a letter whose link is no longer good is not sent any more', async (stage) => {
  const mailServer = await startMailServer()
  const gone = aNode(stage, { smtpUrl: 'smtp://127.0.0.1:1' })
  await gone.office.mail({ kind: 'recover', to: 'ann@example.org', link })
  await expect.poll(() => gone.log.join()).toContain('could not be delivered yet')
  await gone.office.close()

  stage.advance(61 * minute)
  await aNode(stage, { smtpUrl: mailServer.url }).round()
  await isDone(stage)

  expect(mailServer.letters).toHaveLength(0)
})

onBothDatabases('several nodes with a slow mail server send each letter once', async (stage) => {
  const mailServer = await startMailServer({ think: () => pause(100) })
  const nodes = [1, 2, 3].map(() => aNode(stage, { smtpUrl: mailServer.url }))
  const [first] = nodes
  const people = Array.from({ length: 12 }, (_, index) => `person-${index}@example.org`)

  await Promise.all(people.map((to) => first?.office.mail({ ...aLetter, to })))
  for (let round = 0; round < 5; round += 1) await Promise.all(nodes.map(({ round }) => round()))
  await isDone(stage)

  const reached = mailServer.letters.map(({ to }) => to?.[0]?.address).sort()
  expect(reached).toEqual(people.sort())
})

onBothDatabases('one letter that a server is slow with keeps the others from nothing', async (stage) => {
  const slow = Promise.withResolvers<void>()
  let begun = 0
  const think = async () => {
    begun += 1
    if (begun === 1) await slow.promise
  }
  const mailServer = await startMailServer({ think })
  const { office } = aNode(stage, { smtpUrl: mailServer.url })

  await Promise.all([1, 2, 3, 4].map((index) => office.mail({ ...aLetter, to: `person-${index}@example.org` })))
  await expect.poll(() => mailServer.letters.length).toBe(3)
  slow.resolve()
  await isDone(stage)

  expect(mailServer.letters).toHaveLength(4)
})

onBothDatabases('T044 what waits in the database opens no link and tells no address', async (stage) => {
  const { office } = aNode(stage, { smtpUrl: 'smtp://127.0.0.1:1' })

  await office.mail(aLetter)

  const [waiting] = await waitingIn(stage)
  const readable = Buffer.from(waiting?.sealed ?? '', 'base64url').toString('latin1')
  expect(JSON.stringify(waiting) + readable).not.toMatch(/ann@|secret-part|files\.example/)
  expect(statSync(join(stage.folder, 'secrets', 'post.key')).mode & 0o777).toBe(0o600)
})

onBothDatabases('a letter that was sealed under a lost key is given up', async (stage) => {
  const { round, log } = aNode(stage)
  const at = stage.now()
  const store = createPostQueueStore(stage.db)
  const id = randomUUIDv7()
  await store.add({ id, channel: 'mail', sealed: 'x'.repeat(80), created_at: at, give_up_at: at + minute })

  await round()
  await isDone(stage)

  expect(log.at(-1)).toContain('given up')
})

onBothDatabases('T060 a letter that leads to another address than ours is never written', async (stage) => {
  const { office } = aNode(stage)

  for (const foreign of ['https://evil.example/auth/confirm', 'http://files.example.org/', 'javascript:alert(1)', '']) {
    await expect(office.mail({ ...aLetter, link: foreign })).rejects.toThrow('lead away')
  }

  expect(await waitingIn(stage)).toEqual([])
})

onBothDatabases('without a mail server letters lie in the outbox, for the operator alone', async (stage) => {
  const { office, log } = aNode(stage)

  await office.mail({ kind: 'invitation', to: 'ann@example.org', link, licence: 'Personal licence with 50 GB' })
  await isDone(stage)

  const folder = join(stage.folder, 'outbox')
  const [name = ''] = readdirSync(folder)
  const letter = await PostalMime.parse(readFileSync(join(folder, name)))
  expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(letter).toMatchObject({ to: [{ address: 'ann@example.org' }], subject: 'You are invited to Sallyport' })
  expect(letter.text).toContain('Personal licence with 50 GB')
  expect(log.join()).toContain('outbox')
  expect(log.join()).not.toMatch(/ann@|secret-part/)
})

onBothDatabases('the outbox keeps nothing longer than the longest link is good', async (stage) => {
  const { office, jobs } = aNode(stage)
  await office.mail(aLetter)
  await office.text({ to: '491701234567', code: '123456' })
  await isDone(stage)
  const tidy = () => jobs.find(({ name }) => name === 'outbox')?.run(new AbortController().signal)

  stage.advance(6 * 24 * 60 * minute)
  await tidy()
  const kept = readdirSync(join(stage.folder, 'outbox'))
  stage.advance(2 * 24 * 60 * minute)
  await tidy()

  expect(kept).toHaveLength(2)
  expect(readdirSync(join(stage.folder, 'outbox'))).toEqual([])
})

onBothDatabases('ACC-18 a code goes to the gateway that is set, once it takes it', async (stage) => {
  const gateway = await startGateway([503, 200])
  const { office, round, log } = aNode(stage, { smsUrl: gateway.url })

  await office.text({ to: '491701234567', code: '123456' })
  await expect.poll(() => waitingIn(stage)).toMatchObject([{ attempts: 1, claim: null }])
  stage.advance(minute)
  await round()
  await isDone(stage)

  expect(gateway.requests).toHaveLength(2)
  const [first, second] = gateway.requests
  expect(second).toEqual(first)
  expect(second).toMatchObject({
    method: 'POST',
    path: '/send',
    authorization: `Basic ${Buffer.from('operator:p@ss').toString('base64')}`,
    body: { to: '+491701234567', text: expect.stringContaining('123456') },
  })
  expect(log.join()).not.toMatch(/123456|4917/)
})

onBothDatabases(
  'a number the gateway refuses is not tried again, and a code that has aged is not sent',
  async (stage) => {
    const gateway = await startGateway([400, 500])
    const { office, round } = aNode(stage, { smsUrl: gateway.url })

    await office.text({ to: '491701234567', code: '123456' })
    await isDone(stage)
    await office.text({ to: '491701234568', code: '654321' })
    await expect.poll(() => waitingIn(stage)).toMatchObject([{ attempts: 1, claim: null }])
    stage.advance(6 * minute)
    await round()
    await isDone(stage)

    expect(gateway.requests).toHaveLength(2)
  },
)

/** A gateway for text messages that gives these answers, one after the other. */
async function startGateway(answers: readonly number[]) {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8'))
    const { authorization, 'idempotency-key': key } = request.headers
    requests.push({ method: request.method, path: request.url, authorization, key, body })
    response.writeHead(answers[requests.length - 1] ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { requests, url: `http://operator:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}/send` }
}
