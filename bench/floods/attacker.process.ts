import { attacks } from './attacks.ts'

/**
 * Prepares the attack that the first message names, answers `ready`, starts it with the message `start`, and runs it until
 * the process is killed, which closes all its connections.
 */
process.on('message', async (message: { name: string; url: string } | 'start') => {
  if (message === 'start') return
  const prepare = attacks[message.name]
  if (!prepare) throw new Error(`Unknown attack: ${message.name}`)
  const attack = await prepare(message.url)
  process.once('message', () => {
    attack().catch((error: unknown) => console.error(message.name, error))
  })
  process.send?.('ready')
})
