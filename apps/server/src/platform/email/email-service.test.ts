import { randomUUIDv7 } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { expect, onTestFinished } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { startMailServer } from '../../testing/engines/mail-server.ts'
import { createLogger } from '../http/logger.ts'
import type { EmailTemplate } from './email-service.ts'
import { createMailQueueStore } from './mail-queue.store.ts'
import { openEmailService } from './open-email-service.ts'

const minute = 60_000
const link = 'https://files.example.org/auth/confirm?token_hash=secret-part&type=email'
const confirmationEmail: EmailTemplate = { kind: 'confirm-address', to: 'ann@example.org', link }

interface NodeOptions {
  readonly smtpUrl?: string
  readonly smsUrl?: string
}

/** The email service of one node; several nodes share the database and the secrets. */
function createNode({ db, folder, now }: Stage, { smtpUrl, smsUrl }: NodeOptions = {}) {
  const log: string[] = []
  const { queue, outbox, jobs } = openEmailService({
    config: { SMTP_URL: smtpUrl, SMS_URL: smsUrl, MAIL_FROM: undefined },
    store: createMailQueueStore(db),
    folder,
    publicUrl: new URL('https://files.example.org'),
    now,
    log: createLogger('info', { write: (line) => void log.push(line) }),
  })
  onTestFinished(() => queue.close())
  return { queue, outbox, jobs, log, runJob: () => queue.job.run(new AbortController().signal) }
}

const listQueued = ({ db }: Stage) => db.selectFrom('post_queue').selectAll().execute()
const waitUntilEmpty = (stage: Stage) => expect.poll(() => listQueued(stage)).toEqual([])

onBothDatabases(
  'ACC-14 an email is sent at once, as plain text and as HTML without external resources',
  async (stage) => {
    const mailServer = await startMailServer()
    const { queue } = createNode(stage, { smtpUrl: mailServer.url })

    await queue.queueEmail(confirmationEmail)
    await waitUntilEmpty(stage)
    await queue.close()

    const [email] = mailServer.emails
    expect(mailServer.emails).toHaveLength(1)
    expect(email).toMatchObject({
      from: { name: 'Sallyport', address: 'sallyport@files.example.org' },
      to: [{ address: 'ann@example.org' }],
      subject: 'Please verify your email address',
    })
    expect(email?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    expect(email?.text).toContain(link)
    expect(email?.html).toContain('href="https://files.example.org/auth/confirm?token_hash=secret-part&#38;type=email"')
    expect(email?.html).toContain('prefers-color-scheme: dark')
    expect(email?.html).not.toMatch(/<(img|script|link|iframe)|url\(|src=/i)
  },
)

onBothDatabases('an email stays queued over a restart until the mail server is back', async (stage) => {
  const gone = await startMailServer()
  await gone.stop()
  const before = createNode(stage, { smtpUrl: gone.url })
  await before.queue.queueEmail(confirmationEmail)
  await expect.poll(() => before.log.join()).toContain('will retry')
  await before.queue.close()
  const back = await startMailServer({ port: gone.port })
  const after = createNode(stage, { smtpUrl: gone.url })

  await after.runJob()
  await after.queue.close()
  expect(back.emails).toHaveLength(0)

  stage.advance(minute)
  const later = createNode(stage, { smtpUrl: gone.url })
  await later.runJob()
  await waitUntilEmpty(stage)

  expect(back.emails).toHaveLength(1)
  expect(before.log.join()).not.toMatch(/ann@|secret-part/)
})

onBothDatabases(
  'retries back off exponentially, and after a day the email is given up; logs contain no addresses',
  async (stage) => {
    const mailServer = await startMailServer({ rejectWith: 451 })
    const { queue, runJob, log } = createNode(stage, { smtpUrl: mailServer.url })
    const attemptsAt: number[] = []
    const start = stage.now()
    await queue.queueEmail(confirmationEmail)

    for (const count of [1, 2, 3, 4, 5, 6, 7]) {
      await expect.poll(() => listQueued(stage)).toMatchObject([{ attempts: count, claim: null }])
      attemptsAt.push((stage.now() - start) / 1000)
      const [queued] = await listQueued(stage)
      stage.advance((queued?.next_at ?? 0) - stage.now())
      await runJob()
    }
    await expect.poll(() => listQueued(stage)).toMatchObject([{ attempts: 8, claim: null }])
    stage.advance(24 * 60 * minute)
    await runJob()
    await waitUntilEmpty(stage)

    expect(attemptsAt).toEqual([0, 15, 45, 105, 225, 465, 945])
    expect(mailServer.recipients).toHaveLength(8)
    expect(log.at(-1)).toContain('given up')
    expect(log.join()).not.toMatch(/ann@|secret-part|no mailbox/)
  },
)

onBothDatabases('a permanently rejected recipient is not retried', async (stage) => {
  const mailServer = await startMailServer({ rejectWith: 550 })
  const { queue, log } = createNode(stage, { smtpUrl: mailServer.url })

  await queue.queueEmail(confirmationEmail)
  await waitUntilEmpty(stage)

  expect(mailServer.recipients).toEqual(['ann@example.org'])
  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ level: 50, channel: 'mail', attempts: 1, answer: 550 })
  expect(log.join()).not.toContain('ann@')
})

onBothDatabases('an email whose link has expired is not sent', async (stage) => {
  const mailServer = await startMailServer()
  const gone = createNode(stage, { smtpUrl: 'smtp://127.0.0.1:1' })
  await gone.queue.queueEmail({ kind: 'recover', to: 'ann@example.org', link })
  await expect.poll(() => gone.log.join()).toContain('will retry')
  await gone.queue.close()

  stage.advance(61 * minute)
  await createNode(stage, { smtpUrl: mailServer.url }).runJob()
  await waitUntilEmpty(stage)

  expect(mailServer.emails).toHaveLength(0)
})

onBothDatabases('3 nodes with a slow mail server send each of 12 emails once', async (stage) => {
  const mailServer = await startMailServer({ beforeAccept: () => pause(100) })
  const nodes = [1, 2, 3].map(() => createNode(stage, { smtpUrl: mailServer.url }))
  const [first] = nodes
  const recipients = Array.from({ length: 12 }, (_, index) => `person-${index}@example.org`)

  await Promise.all(recipients.map((to) => first?.queue.queueEmail({ ...confirmationEmail, to })))
  for (let round = 0; round < 5; round += 1) await Promise.all(nodes.map(({ runJob }) => runJob()))
  await waitUntilEmpty(stage)

  const delivered = mailServer.emails.map(({ to }) => to?.[0]?.address).sort()
  expect(delivered).toEqual(recipients.sort())
})

onBothDatabases('one slow delivery does not block 3 others', async (stage) => {
  const slow = Promise.withResolvers<void>()
  let begun = 0
  const beforeAccept = async () => {
    begun += 1
    if (begun === 1) await slow.promise
  }
  const mailServer = await startMailServer({ beforeAccept })
  const { queue } = createNode(stage, { smtpUrl: mailServer.url })

  await Promise.all(
    [1, 2, 3, 4].map((index) => queue.queueEmail({ ...confirmationEmail, to: `person-${index}@example.org` })),
  )
  await expect.poll(() => mailServer.emails.length).toBe(3)
  slow.resolve()
  await waitUntilEmpty(stage)

  expect(mailServer.emails).toHaveLength(4)
})

onBothDatabases('T044 queued emails in the database contain no readable link or address', async (stage) => {
  const { queue } = createNode(stage, { smtpUrl: 'smtp://127.0.0.1:1' })

  await queue.queueEmail(confirmationEmail)

  const [queued] = await listQueued(stage)
  const readable = Buffer.from(queued?.sealed ?? '', 'base64url').toString('latin1')
  expect(JSON.stringify(queued) + readable).not.toMatch(/ann@|secret-part|files\.example/)
  expect(statSync(join(stage.folder, 'secrets', 'post.key')).mode & 0o777).toBe(0o600)
})

onBothDatabases('an email sealed with another key stays queued until it expires', async (stage) => {
  const { runJob, log } = createNode(stage)
  const at = stage.now()
  const store = createMailQueueStore(stage.db)
  const id = randomUUIDv7()
  await store.add({ id, channel: 'mail', sealed: 'x'.repeat(80), created_at: at, give_up_at: at + minute })

  await runJob()
  await expect.poll(() => log.join()).toContain('encrypted with another key')
  await expect.poll(async () => (await listQueued(stage))[0]?.claim).toBeNull()
  expect(await listQueued(stage)).toMatchObject([{ id, next_at: at + 15_000 }])

  stage.advance(minute)
  await runJob()
  await waitUntilEmpty(stage)
  expect(log.at(-1)).toContain('given up')
})

onBothDatabases('T060 an email with a link to another origin is rejected', async (stage) => {
  const { queue } = createNode(stage)

  for (const foreign of ['https://evil.example/auth/confirm', 'http://files.example.org/', 'javascript:alert(1)', '']) {
    await expect(queue.queueEmail({ ...confirmationEmail, link: foreign })).rejects.toThrow('other origins')
  }

  expect(await listQueued(stage)).toEqual([])
})

onBothDatabases(
  'without a mail server emails are written to the outbox, readable only by the operator',
  async (stage) => {
    const { queue, log } = createNode(stage)

    await queue.queueEmail({ kind: 'invitation', to: 'ann@example.org', link, licence: 'Personal licence with 50 GB' })
    await waitUntilEmpty(stage)

    const folder = join(stage.folder, 'outbox')
    const [name = ''] = readdirSync(folder)
    const email = await PostalMime.parse(readFileSync(join(folder, name)))
    expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(email).toMatchObject({ to: [{ address: 'ann@example.org' }], subject: 'You are invited to Sallyport' })
    expect(email.text).toContain('Personal licence with 50 GB')
    expect(log.join()).toContain('outbox')
    expect(log.join()).not.toMatch(/ann@|secret-part/)
  },
)

onBothDatabases('the outbox deletes messages after the longest link lifetime', async (stage) => {
  const { queue, jobs } = createNode(stage)
  await queue.queueEmail(confirmationEmail)
  await queue.queueText({ to: '491701234567', code: '123456' })
  await waitUntilEmpty(stage)
  const tidy = () => jobs.find(({ name }) => name === 'outbox')?.run(new AbortController().signal)

  stage.advance(29 * 24 * 60 * minute)
  await tidy()
  const remaining = readdirSync(join(stage.folder, 'outbox'))
  stage.advance(2 * 24 * 60 * minute)
  await tidy()

  expect(remaining).toHaveLength(2)
  expect(readdirSync(join(stage.folder, 'outbox'))).toEqual([])
})

onBothDatabases('ACC-18 a code is sent to the SMS gateway and retried after 503', async (stage) => {
  const gateway = await startGateway([503, 200])
  const { queue, runJob, log } = createNode(stage, { smsUrl: gateway.url })

  await queue.queueText({ to: '491701234567', code: '123456' })
  await expect.poll(() => listQueued(stage)).toMatchObject([{ attempts: 1, claim: null }])
  stage.advance(minute)
  await runJob()
  await waitUntilEmpty(stage)

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

onBothDatabases('a number that the gateway rejects is not retried, and an expired code is not sent', async (stage) => {
  const gateway = await startGateway([400, 500])
  const { queue, runJob } = createNode(stage, { smsUrl: gateway.url })

  await queue.queueText({ to: '491701234567', code: '123456' })
  await waitUntilEmpty(stage)
  await queue.queueText({ to: '491701234568', code: '654321' })
  await expect.poll(() => listQueued(stage)).toMatchObject([{ attempts: 1, claim: null }])
  stage.advance(6 * minute)
  await runJob()
  await waitUntilEmpty(stage)

  expect(gateway.requests).toHaveLength(2)
})

/** Starts an SMS gateway that answers with these status codes in order. */
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
