import { transferLimits } from '@sallyport/contract/limits'
import { type Connection, createCaller } from '../call.ts'
import { repeatEvery, systemClock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { createThroughput } from '../throughput.ts'
import type { DownloadEnd, DownloadState } from './download-state.ts'
import { mayGoOn } from './failures.ts'
import type { OpenLane, OpenOpenLane } from './open-lane.ts'
import { plainBytesOf } from './plan.ts'
import { receiveFile } from './receive-file.ts'
import { type DownloadSource, openSource } from './source.ts'
import { downloadTexts } from './texts.ts'

export interface StartDownload<Saved> {
  readonly source: DownloadSource
  readonly connection: Connection
  readonly openLane: OpenOpenLane<Saved>
}

export interface Download<Saved> extends Observable<DownloadState<Saved>> {
  /** Stops at once and leaves nothing behind. Does nothing once the download has ended. */
  cancel(): void
  /** Settles when the file is saved, or when nothing of it is under way any more. Never rejects. */
  readonly finished: Promise<DownloadEnd<Saved>>
}

/** Fetches a sealed file, opens it and saves it: whole and verified, or not at all. */
export function startDownload<Saved>(start: StartDownload<Saved>): Download<Saved> {
  const state = createSubject<DownloadState<Saved>>({ status: 'waiting' })
  const stop = new AbortController()
  const show = (next: DownloadState<Saved>) => {
    if (!stop.signal.aborted) state.set(next)
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    finished: run({ start, show, signal: stop.signal }),
    cancel() {
      const { status } = state.current()
      if (status !== 'waiting' && status !== 'receiving') return
      stop.abort(new DOMException(downloadTexts.cancelled, 'AbortError'))
      state.set({ status: 'cancelled' })
    },
  }
}

interface Running<Saved> {
  readonly start: StartDownload<Saved>
  readonly show: (state: DownloadState<Saved>) => void
  readonly signal: AbortSignal
}

async function run<Saved>(running: Running<Saved>): Promise<DownloadEnd<Saved>> {
  const { start, show, signal } = running
  let lane: OpenLane<Saved> | undefined
  try {
    const opened = await openSource(start.source, createCaller(start.connection), start.connection.baseUrl)
    lane = await start.openLane(opened.keys)
    await receive({ ...running, ...opened, lane })
    signal.throwIfAborted()
    const end = { status: 'done' as const, saved: await lane.close() }
    show(end)
    return signal.aborted ? { status: 'cancelled' } : end
  } catch (error) {
    const failed = { status: 'failed' as const, error: error instanceof Error ? error : new Error(String(error)) }
    const end = signal.aborted ? { status: 'cancelled' as const } : failed
    show(end)
    const isLater = end.status === 'failed' && mayGoOn(end.error)
    await (isLater ? (lane?.leave ?? lane?.abort) : lane?.abort)?.().catch(() => undefined)
    return end
  }
}

async function receive<Saved>(
  work: Running<Saved> & Awaited<ReturnType<typeof openSource>> & { readonly lane: OpenLane<Saved> },
): Promise<void> {
  const { start, show, keys, request, lane, signal } = work
  const { clock = systemClock, accessToken } = start.connection
  const startedAt = clock.now()
  const throughput = createThroughput(startedAt)
  const done = new AbortController()
  const keptBytes = plainBytesOf(keys.header, lane.kept ?? [])
  let receivedBytes = keptBytes

  function publish(): void {
    throughput.observe(receivedBytes - keptBytes, clock.now())
    const { bytesPerSecond } = throughput
    const totalBytes = keys.header.plainBytes
    show({ status: 'receiving', receivedBytes, totalBytes, bytesPerSecond, startedAt, place: lane.place })
  }

  publish()
  repeatEvery(transferLimits.progressEveryMs, publish, { clock, signal: done.signal })
  try {
    const onOpened = (plainBytes: number) => {
      receivedBytes += plainBytes
    }
    await receiveFile({ kind: start.source.kind, keys, request, lane, accessToken, clock, onOpened, signal })
  } finally {
    done.abort()
  }
}
