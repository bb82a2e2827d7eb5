import { createSubject, type Observable } from '@sallyport/client/observable'
import { shareDelivered, type Transfer } from './transfer-state.ts'

/** What is said of transfers, at most one sentence at a time. */
export interface TransferNews extends Observable<string> {
  /** Takes the transfers as they are now and says what is new about them. */
  readonly follow: (kind: 'upload' | 'download', transfers: readonly Transfer[]) => void
}

const quarters = [25, 50, 75]
const shortestPauseMs = 10_000

const words = {
  upload: { start: 'Sealing and sending', done: 'is sealed and sent' },
  download: { start: 'Unsealing', done: 'is saved' },
} as const

/** Start, each quarter, and the end; quarters are left out when the last word was less than ten seconds ago. */
export function createTransferNews(now: () => number): TransferNews {
  const said = createSubject('')
  const heard = new Map<string, string>()
  let lastSaidAt = Number.NEGATIVE_INFINITY

  function say(text: string): void {
    lastSaidAt = now()
    said.set(text)
  }

  return {
    current: said.current,
    subscribe: said.subscribe,
    follow(kind, transfers) {
      for (const transfer of transfers) {
        const key = `${kind} ${transfer.id}`
        const mark = markOf(transfer)
        if (mark === heard.get(key)) continue
        heard.set(key, mark)
        const isQuarter = transfer.state.phase === 'moving' && mark !== '0'
        if (isQuarter && now() - lastSaidAt < shortestPauseMs) continue
        const sentence = sentenceOf(kind, transfer, mark)
        if (sentence) say(sentence)
      }
    },
  }
}

/** Changes when there is something to say. */
function markOf(transfer: Transfer): string {
  if (transfer.state.phase !== 'moving') return transfer.state.phase
  const percent = shareDelivered(transfer) * 100
  return String(quarters.findLast((quarter) => percent >= quarter) ?? 0)
}

function sentenceOf(kind: 'upload' | 'download', { fileName, state }: Transfer, mark: string): string | null {
  switch (state.phase) {
    case 'moving':
      return mark === '0' ? `${words[kind].start} ${fileName}` : `${fileName}: ${mark} percent`
    case 'done':
      return `${fileName} ${words[kind].done}`
    default:
      // Failures and cancelled uploads have banners, which are spoken by themselves.
      return null
  }
}
