import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')
const asSocket = /^(socket|ws|webSocket|connection|to|from|one|peer)$/

test('sockets send only through their bounded send queue', () => {
  const files = globSync('**/*.ts', {
    cwd: source,
    exclude: ['testing/**', '**/*.test.ts', 'platform/realtime/send-queues.ts'],
  })
  const direct = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const knowsSockets = text.includes("from 'ws'")
    return [...text.matchAll(/(\w+)\.(?:send|pong)\(/g)]
      .filter(([, receiver = '']) => asSocket.test(receiver) || (knowsSockets && receiver !== 'queue'))
      .map(([call]) => `${file}: ${call}`)
  })

  expect(files.length).toBeGreaterThan(100)
  expect(direct).toEqual([])
})
