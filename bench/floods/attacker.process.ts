import { attacks } from './attacks.ts'

/**
 * Prepares the attack that the first message names, answers `ready`, starts it with the message `start`, and ends with
 * its process: whatever it has opened goes then.
 */
process.on('message', async (message: { name: string; url: string } | 'start') => {
  if (message === 'start') return
  const prepare = attacks[message.name]
  if (!prepare) throw new Error(`There is no attack ${message.name}`)
  const attack = await prepare(message.url)
  process.once('message', () => {
    attack().catch((error: unknown) => console.error(message.name, error))
  })
  process.send?.('ready')
})
