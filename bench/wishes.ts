import { parseArgs } from 'node:util'

export interface Wishes {
  /** Parts to run; all of them when none is named. */
  readonly only: readonly string[]
  /** Millions of bytes that a run moves; without it, what the part takes by itself. */
  readonly megabytes: number | undefined
  /** How often each side runs. */
  readonly rounds: number
  /** How many seconds each run waits for a quiet machine. */
  readonly patience: number
  /** The floods to run; all of them when none is named. */
  readonly floods: readonly string[]
  /** A folder with timvisee/send, built. */
  readonly peerSend: string | undefined
  /** A folder with PairDrop, installed. */
  readonly peerPairDrop: string | undefined
  /** The Node that send runs on. */
  readonly peerNode: string
}

/** What the command line asks for. */
export function readWishes(): Wishes {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      mb: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      patience: { type: 'string', default: '60' },
      floods: { type: 'string', default: '' },
      'peer-send': { type: 'string' },
      'peer-pairdrop': { type: 'string' },
      'peer-node': { type: 'string', default: 'node' },
    },
  })
  return {
    only: namesIn(values.only),
    megabytes: values.mb === undefined ? undefined : Number(values.mb),
    rounds: Number(values.rounds),
    patience: Number(values.patience),
    floods: namesIn(values.floods),
    peerSend: values['peer-send'],
    peerPairDrop: values['peer-pairdrop'],
    peerNode: values['peer-node'],
  }
}

const namesIn = (list: string): string[] => list.split(',').filter((name) => name !== '')
