import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('startup errors name the misconfigured setting', async () => {
  const folder = createFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const start = (environment: Readonly<Record<string, string>>) =>
    startWholeServer({ DATA_DIR: join(folder, 'data'), ...environment })

  await expect(start({ DATA_DIR: file })).rejects.toThrow(/^The data folder \(DATA_DIR\) cannot be used: .*ENOTDIR/)
  await expect(start({ VOLUMES: file })).rejects.toThrow(
    /^A folder for sealed bytes \(VOLUMES\) cannot be used: .*ENOTDIR/,
  )
  await expect(start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow(
    /^PostgreSQL \(DATABASE_URL\) cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  )
})

test('an address that cannot be listened on names PORT and HOST', async () => {
  const running = await startWholeServer()
  onTestFinished(running.stop)
  const start = (environment: Readonly<Record<string, string>>) =>
    startWholeServer({ DATA_DIR: createFolder(), ...environment })
  const named = String.raw`^The port \(PORT\) or the address \(HOST\) cannot be used: `

  await expect(start({ PORT: String(running.port) })).rejects.toThrow(new RegExp(`${named}.*EADDRINUSE`))
  await expect(start({ HOST: '203.0.113.1' })).rejects.toThrow(new RegExp(`${named}.*EADDRNOTAVAIL`))
})

test('TRUSTED_PROXIES accepts addresses and networks; anything else prevents startup', () => {
  const proxiesOf = (text: string) => readConfig({ TRUSTED_PROXIES: text }).TRUSTED_PROXIES

  expect(proxiesOf('127.0.0.1, 10.0.0.0/8,fd00::/8,loopback')).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
    'loopback',
  ])
  for (const wrong of ['zzz', '10.0.0.0/33', '10.0.0.0/x', '1.2.3', '10.0.0.1/8/8', 'proxy.example']) {
    expect(() => proxiesOf(wrong), wrong).toThrow(/^Invalid configuration[\s\S]*TRUSTED_PROXIES/)
  }
})
