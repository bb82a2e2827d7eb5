import type { BrowserContext } from '@playwright/test'
import type { LyingServer, Signal } from './lying-server.ts'

type Side = 'creator' | 'joiner'

/**
 * Puts a page between two devices that connect over a lying server: it answers each of them with a certificate of its
 * own, and passes on every word they say to each other. The two lines are those that open first.
 */
export async function standInBetween(context: BrowserContext, server: LyingServer): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${server.url}/portal?anonymous=true`)
  const tells = new Map<Side, (message: Signal) => void>()
  await page.exposeFunction('tellDevice', (side: Side, message: Signal) => tells.get(side)?.(message))
  await page.evaluate(() => {
    const tell = Reflect.get(window, 'tellDevice') as (side: Side, message: object) => void
    const other = { creator: 'joiner', joiner: 'creator' } as const
    const known = [
      ['px-ctl', { negotiated: true, id: 200 }],
      ['px-bulk', { negotiated: true, id: 202, ordered: false }],
    ] as const
    const ends = { creator: createEnd('creator'), joiner: createEnd('joiner') }

    function createEnd(side: Side) {
      const line = new RTCPeerConnection()
      const channels = new Map<string, Promise<RTCDataChannel>>()
      const candidates: RTCIceCandidateInit[] = []
      const add = (name: string, channel: RTCDataChannel) => {
        channel.binaryType = 'arraybuffer'
        const opened = new Promise<RTCDataChannel>((resolve) => {
          if (channel.readyState === 'open') resolve(channel)
          channel.onopen = () => resolve(channel)
        })
        channels.set(name, opened)
        let passing = Promise.resolve()
        channel.onmessage = ({ data }) => {
          passing = passing.then(async () => (await ends[other[side]].channels.get(name))?.send(data))
        }
      }
      for (const [name, options] of known) add(name, line.createDataChannel(name, options))
      if (side === 'joiner') add('main', line.createDataChannel('main', { ordered: true, maxRetransmits: 3 }))
      else line.ondatachannel = ({ channel }) => add('main', channel)
      line.onicecandidate = ({ candidate }) =>
        candidate && tell(side, { type: 'webrtc-ice-candidate', data: candidate.toJSON() })
      return { line, channels, candidates }
    }

    async function hear(side: Side, { type, data }: { type: string; data: never }) {
      const { line, candidates } = ends[side]
      if (type === 'webrtc-ice-candidate') {
        if (line.remoteDescription) await line.addIceCandidate(data)
        else candidates.push(data)
        return
      }
      await line.setRemoteDescription(data)
      for (const candidate of candidates.splice(0)) await line.addIceCandidate(candidate)
      if (type === 'webrtc-answer') return
      await line.setLocalDescription()
      tell(side, { type: 'webrtc-answer', data: line.localDescription?.toJSON() })
      const { line: onward } = ends.joiner
      await onward.setLocalDescription()
      tell('joiner', { type: 'webrtc-offer', data: onward.localDescription?.toJSON() })
    }
    Reflect.set(window, 'hearDevice', hear)
  })

  const sideOf = (number: number): Side => (number === 0 ? 'creator' : 'joiner')
  server.lie({
    said(message, line) {
      const side = sideOf(line.number)
      tells.set(side, line.tell)
      if (message.type === 'px-locate') {
        line.tell({ type: 'px-located', result: 'classic' })
        return null
      }
      if (!message.type.startsWith('webrtc-')) return message
      page
        .evaluate(
          ([to, signal]) => (Reflect.get(window, 'hearDevice') as (to: string, signal: object) => unknown)(to, signal),
          [side, message] as const,
        )
        .catch(() => undefined)
      return null
    },
  })
}
