import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createShareKey, encodeShareFragment } from '@sallyport/crypto'
import { expect, onTestFinished, test } from 'vitest'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Runs the real program with a share link of this origin. */
async function get(origin: string, environment: Readonly<Record<string, string>> = {}) {
  const link = `${origin}/s/${'A'.repeat(22)}#${await encodeShareFragment(createShareKey())}`
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'get', link], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...environment },
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { stderr: await text(child.stderr), code: await code }
}

/** A port that was free a moment ago. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

test('an unknown host and a refused connection have different messages', async () => {
  const unknown = await get('https://files.invalid')
  const refused = await get(`http://127.0.0.1:${await closedPort()}`)

  expect(unknown).toEqual({
    code: 1,
    stderr: 'sallyport: Couldn’t find the server. Check the host name in the link and your DNS.\n',
  })
  expect(refused).toEqual({
    code: 1,
    stderr: 'sallyport: The server refused the connection. It may be stopped, or the port is wrong.\n',
  })
})

test.skipIf(!hasOpenssl)('an untrusted certificate is named, and NODE_EXTRA_CA_CERTS makes it trusted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const output = ['-keyout', key, '-out', cert]
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...output])
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo

  const untrusted = await get(`https://localhost:${port}`)
  const otherName = await get(`https://127.0.0.1:${port}`, { NODE_EXTRA_CA_CERTS: cert })
  const trusted = await get(`https://localhost:${port}`, { NODE_EXTRA_CA_CERTS: cert })

  expect(untrusted.stderr).toMatch(/^sallyport: The server’s certificate isn’t trusted\. .*NODE_EXTRA_CA_CERTS/)
  expect(otherName.stderr).toBe('sallyport: The server’s certificate is for another host name.\n')
  expect(trusted.stderr).toBe('sallyport: File not found or expired\n')
})
