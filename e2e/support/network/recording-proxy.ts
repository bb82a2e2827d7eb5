import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

export interface RecordingProxy {
  /** The address to use instead of the server's. */
  readonly url: string
  /** Holds one file for each direction of each connection, byte for byte. */
  readonly folder: string
  /** Cuts all connections and waits until the recordings are on the disk. */
  close(): Promise<void>
}

/** Forwards and records every byte between a browser and a server: what is not in the recording was not sent. */
export async function startRecordingProxy(targetUrl: string, folder: string): Promise<RecordingProxy> {
  mkdirSync(folder, { recursive: true })
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const recordings: WriteStream[] = []
  let connections = 0

  function record(name: string): WriteStream {
    const recording = createWriteStream(join(folder, name))
    recordings.push(recording)
    return recording
  }

  const proxy = createServer((downstream) => {
    const upstream = connect(Number(target.port), target.hostname)
    const number = String(connections).padStart(4, '0')
    connections += 1
    forward({ from: downstream, to: upstream, recording: record(`${number}-sent.bin`) })
    forward({ from: upstream, to: downstream, recording: record(`${number}-answered.bin`) })
    for (const [socket, other] of [
      [downstream, upstream],
      [upstream, downstream],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    folder,
    async close() {
      if (!proxy.listening) return
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
      await Promise.all(
        recordings.map((recording) => {
          recording.end()
          return finished(recording)
        }),
      )
    },
  }
}

interface ForwardOptions {
  readonly from: Socket
  readonly to: Socket
  readonly recording: WriteStream
}

/** Records data before forwarding it, so that nothing arrives unrecorded. */
function forward({ from, to, recording }: ForwardOptions): void {
  from.on('data', (piece) => {
    recording.write(piece)
    if (!to.write(piece)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
}
