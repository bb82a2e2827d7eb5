import type { RoomVersion } from './codes.rules.ts'
import type { Kept, Outcome, Word } from './kept.rules.ts'

/** An address or a network, as a hash, and how many open rooms it may have. */
export interface RoomSource {
  readonly key: string
  readonly most: number
}

interface RoomRequest {
  readonly version: RoomVersion
  readonly sources: readonly RoomSource[]
}

interface Round {
  readonly rooms: readonly Kept[]
  /** Whether a node still looks after the lines it holds. */
  readonly isThere: (node: string) => boolean
}

/** Where the rooms are that devices meet in. Steps are taken one at a time, whichever node they are taken on. */
export interface Rooms {
  /** This process, among those that share the rooms. */
  readonly node: string
  /**
   * Keeps a new room under a code that no other one can be mistaken for. `make` may be asked for several codes. False
   * where no code is free, or one of the sources has as many rooms as it may.
   */
  open(request: RoomRequest, make: (code: string) => Outcome): Promise<boolean>
  /** The codes of open rooms that begin with these two digits. */
  codesBehind(twoDigits: string): Promise<ReadonlySet<string>>
  read(code: string): Promise<Kept | null>
  /**
   * Takes a step in a room. `decide` is asked again where the room has changed meanwhile, and leaves all as it is by
   * null. What is said reaches each line in the order in which the steps were taken.
   */
  change(code: string, decide: (kept: Kept) => Outcome | null): Promise<Outcome | 'left' | 'missing'>
  /** Says that this node is there. Answers the rooms to look through, or null while another node does so. */
  round(): Promise<Round | null>
  /** Hands over what is said to lines of this node, and tells when words were missed or the places of its lines lost. */
  listen(hear: (word: Word) => void, lose: () => void): void
}
