import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Benchmarks to run; empty for all. */
  readonly only: readonly string[]
  /** Megabytes that a run transfers; undefined for the benchmark's default. */
  readonly megabytes: number | undefined
  /** Number of small files that a run transfers; undefined for the benchmark's default. */
  readonly fileCount: number | undefined
  /** Number of runs per side. */
  readonly rounds: number
  /** Maximum number of seconds that each run waits for an idle machine. */
  readonly maxWaitSeconds: number
  /** Floods to run; empty for all. */
  readonly floods: readonly string[]
  /** Seconds that each flood lasts. */
  readonly floodSeconds: number
  /** Whether the attackers of floods run at a lower priority than the server, at the same, or at one after the other. */
  readonly attackerPriority: 'lower' | 'same' | 'both'
  /** Folder with a built timvisee/send. */
  readonly peerSend: string | undefined
  /** Folder with an installed PairDrop. */
  readonly peerPairDrop: string | undefined
  /** Path of the Node that runs timvisee/send. */
  readonly peerNode: string
}

/** Parses the command line. */
export function parseBenchOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      mb: { type: 'string' },
      files: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      patience: { type: 'string', default: '60' },
      floods: { type: 'string', default: '' },
      'flood-seconds': { type: 'string', default: '60' },
      'attacker-priority': { type: 'string', default: 'lower' },
      'peer-send': { type: 'string' },
      'peer-pairdrop': { type: 'string' },
      'peer-node': { type: 'string', default: 'node' },
    },
  })
  return {
    only: splitNames(values.only),
    megabytes: values.mb === undefined ? undefined : Number(values.mb),
    fileCount: values.files === undefined ? undefined : Number(values.files),
    rounds: Number(values.rounds),
    maxWaitSeconds: Number(values.patience),
    floods: splitNames(values.floods),
    floodSeconds: Number(values['flood-seconds']),
    attackerPriority: parsePriority(values['attacker-priority']),
    peerSend: values['peer-send'],
    peerPairDrop: values['peer-pairdrop'],
    peerNode: values['peer-node'],
  }
}

const splitNames = (list: string): string[] => list.split(',').filter((name) => name !== '')

function parsePriority(value: string): BenchOptions['attackerPriority'] {
  if (value === 'lower' || value === 'same' || value === 'both') return value
  throw new Error(`--attacker-priority is lower, same or both, not ${value}`)
}
