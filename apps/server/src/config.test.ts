import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { secretNames } from './secret-files.ts'
import { createTestFolder } from './testing/test-folder.ts'

type Environment = Readonly<Record<string, string>>

const wrongValues: Readonly<Record<string, readonly string[]>> = {
  PORT: [' ', '0x50', '80.5', '-1', '65536', '8e1'],
  HOST: [' ', 'two words'],
  PUBLIC_URL: [
    'files.example',
    'ftp://files.example',
    'https://files.example/path',
    'https://files.example/?query',
    'https://files.example/#part',
    'https://name:password@files.example',
  ],
  DATA_DIR: [' '],
  DATABASE_URL: ['mysql://host/name', '/var/lib/postgres'],
  REDIS_URL: ['http://host', 'redis://', 'redis://host:99999'],
  VOLUMES: ['/mnt/a,/mnt/a', '/mnt/a,/mnt/b/../a/'],
  STRICT: ['true', 'ON'],
  TRUSTED_PROXIES: ['proxy.example', '0.0.0.0/0', '::/0', '10.0.0.0/33'],
  SMTP_URL: ['smtp://', 'smtp:', 'https://host', 'smtp://name:password@'],
  MAIL_FROM: ['Sallyport', 'Sallyport <>', 'Sallyport <files.example>', 'a@b <c'],
  SMS_URL: ['gateway', 'sms://host'],
  VERIFY_ADDRESSES: ['yes'],
  REGISTRATION: ['off', 'OPEN'],
  REGISTRATION_DOMAINS: ['@example.org', 'a@example.org', 'example.org;example.com', '.example.org'],
  REGISTRATIONS_PER_HOUR: [' ', '-1', '1.5', 'many'],
  BILLING: ['off', 'stripe', 'Test'],
  DEFAULT_PLAN: ['free', 'Personal'],
  DEFAULT_STORAGE_GB: ['0', '-1', '5 GB', '2000000'],
  DEFAULT_EXPIRATION_MINUTES: ['0', '7', '1.5', '20160'],
  SOCKETS_PER_ACCOUNT: ['0', '1e3'],
  AUTH_MODE: ['external'],
  AUTH_URL: ['provider', 'https://provider.example'],
  AUTH_PUBLISHABLE_KEY: [' '],
  AUTH_SERVICE_KEY: [' '],
  AUTH_ISSUER: [' '],
  AUTH_JWKS_URL: ['jwks.json'],
  AUTH_JWT_SECRET: [' '],
  AUTH_REVEAL_UNKNOWN_ACCOUNTS: ['1'],
  STUN_URLS: ['stun.example', 'https://stun.example', 'stun:', 'stun:a.example,b.example'],
  TURN_URLS: ['turn.example:3478'],
  TURN_SECRET: [' ', 'without any servers'],
  PORTAL_CLASSIC: ['no'],
  RELAY: ['0'],
  RELAY_GB_PER_ROOM: [' ', '-1', '0x10', 'Infinity'],
  RELAY_GB_PER_DAY: [' ', '1e3', '5 GB'],
  ADMIN_EMAILS: ['admin', 'a@b.example,admin@', 'a@b.example c@d.example'],
  OPERATOR_CONTACT: ['call me'],
  SOURCE_URL: ['the archive', 'ftp://files.example.org/', 'javascript:alert(1)'],
  OPERATOR_TOKEN: ['short'],
  BACKUP_DIR: [' ', '/var/backups/without-keys'],
  BACKUP_TO: ['plain', 'age1short', 'plain,age1short', 'AGE-SECRET-KEY-1', 'ssh-ed25519 AAAA'],
  LOG_LEVEL: ['verbose'],
  LOG_ADDRESSES: ['yes'],
}

describe.each(Object.entries(wrongValues))('%s', (name, values) => {
  test.each(values)('rejects %j and is named in the message', (value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Invalid configuration[^]*\\b${name}\\b`))
  })
})

test('TURN_URLS and TURN_SECRET need each other', () => {
  const together: Environment = { TURN_URLS: 'turn:turn.example:3478,turns:turn.example', TURN_SECRET: 'shared' }

  expect(readConfig(together)).toMatchObject({ TURN_SECRET: 'shared' })
  expect(() => readConfig({ TURN_URLS: 'turn:turn.example' })).toThrow('TURN_SECRET')
})

test('BACKUP_DIR and BACKUP_TO need each other', () => {
  const BACKUP_TO = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'

  expect(readConfig({ BACKUP_DIR: '/var/backups/sallyport', BACKUP_TO })).toMatchObject({ BACKUP_TO: [BACKUP_TO] })
  expect(readConfig({ BACKUP_DIR: '/var/backups/sallyport', BACKUP_TO: 'plain' })).toMatchObject({
    BACKUP_TO: ['plain'],
  })
  expect(() => readConfig({ BACKUP_DIR: '/var/backups/sallyport' })).toThrow('must be set, because BACKUP_DIR is')
  expect(() => readConfig({ BACKUP_TO })).toThrow('must be set, because BACKUP_TO is')
  expect(() => readConfig({ BACKUP_DIR: '/var/backups/sallyport', BACKUP_TO: `${BACKUP_TO},plain` })).toThrow('age1')
})

test('BILLING and DEFAULT_PLAN must not contradict each other', () => {
  expect(() => readConfig({ BILLING: 'none', DEFAULT_PLAN: 'trial' })).toThrow('DEFAULT_PLAN')
  expect(() => readConfig({ BILLING: 'test', DEFAULT_PLAN: 'personal' })).toThrow('BILLING')
  expect(() => readConfig({ BILLING: 'contact', DEFAULT_PLAN: 'vip' })).toThrow('BILLING')
  expect(readConfig({ BILLING: 'none', DEFAULT_PLAN: 'vip' })).toMatchObject({ BILLING: 'none' })
  expect(readConfig({ BILLING: 'test', DEFAULT_PLAN: 'trial' })).toMatchObject({ BILLING: 'test' })
})

test('valid values are read as they are meant', () => {
  const environment: Environment = {
    PORT: '0',
    PUBLIC_URL: 'https://files.example:8443/',
    VOLUMES: '/mnt/a, /mnt/b',
    SMTP_URL: 'smtp://name:password@127.0.0.1:587?requireTLS=true',
    MAIL_FROM: 'Sallyport <files@files.example>',
    RELAY_GB_PER_ROOM: '0.5',
    ADMIN_EMAILS: 'One@files.example,two@localhost',
    AUTH_MODE: 'hosted',
    AUTH_URL: 'https://provider.example/auth/v1',
    REDIS_URL: 'unix:///run/redis.sock',
  }

  expect(readConfig(environment)).toMatchObject({
    ...environment,
    PORT: 0,
    VOLUMES: ['/mnt/a', '/mnt/b'],
    RELAY_GB_PER_ROOM: 0.5,
    ADMIN_EMAILS: ['One@files.example', 'two@localhost'],
  })
  expect(readConfig({ MAIL_FROM: 'files@files.example' }).MAIL_FROM).toBe('files@files.example')
})

test('an empty value counts as not set', () => {
  expect(readConfig({ PORT: '', AUTH_URL: '' })).toEqual(readConfig({}))
})

describe.each(secretNames)('%s_FILE', (name) => {
  const needed: Readonly<Record<string, Environment>> = {
    TURN_SECRET: { TURN_URLS: 'turn:turn.example' },
    STRIPE_SECRET_KEY: { BILLING: 'stripe' },
  }
  const others: Environment = needed[name] ?? { DATA_DIR: '/srv/sallyport' }
  const values: Environment = {
    DATABASE_URL: 'postgres://name:password@host/name',
    REDIS_URL: 'redis://:password@host',
    SMTP_URL: 'smtp://name:password@host',
    SMS_URL: 'https://name:password@gateway.example',
    STRIPE_SECRET_KEY: 'rk_test_secret',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret',
  }
  const secret = values[name] ?? 'a-secret-of-26-characters.'
  const createSecretFile = (content: string): string => {
    const path = join(createTestFolder(), 'secret')
    writeFileSync(path, content)
    return path
  }

  test('is read without the line break at its end', () => {
    const value = readConfig({ ...others, [`${name}_FILE`]: createSecretFile(`${secret}\n`) })[name]
    expect([value].flat()).toEqual([secret])
  })

  test('together with the variable is rejected and both are named', () => {
    const both = { ...others, [name]: secret, [`${name}_FILE`]: createSecretFile(secret) }
    expect(() => readConfig(both)).toThrow(`${name} and ${name}_FILE are both set`)
  })

  test('that is missing, a folder or empty is rejected with its variable and its path', () => {
    const folder = createTestFolder()
    for (const path of [join(folder, 'missing'), folder, createSecretFile('\n')]) {
      expect(() => readConfig({ ...others, [`${name}_FILE`]: path })).toThrow(`${name}_FILE: ${path} `)
    }
  })
})

test.each([
  [{ BILLING: 'stripe' }, 'STRIPE_SECRET_KEY'],
  [{ BILLING: 'stripe', STRIPE_SECRET_KEY: 'pk_test_public' }, 'must start with sk_test_'],
  [{ BILLING: 'none', STRIPE_SECRET_KEY: 'sk_test_key' }, 'has no effect without BILLING=stripe'],
  [{ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_WEBHOOK_SECRET: 'secret' }, 'must start with whsec_'],
  [{ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_URL: 'https://api.example' }, 'on this machine'],
] as const)('PLN-04 the settings %j are rejected: %s', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(message)
})
