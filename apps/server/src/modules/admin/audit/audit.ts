import { ApiError } from '../../../errors.ts'
import { BackupError } from '../backup/backup-error.ts'
import { UsageError } from '../options.ts'
import type { AuditHead, AuditRow, AuditStore, AuditTransaction } from './audit.store.ts'
import { type AuditProblem, emptyHead, findAuditProblem, hashAuditRow } from './audit-chain.ts'

interface AuditDeps {
  readonly store: AuditStore
  /** The same on all nodes. */
  readonly key: Buffer
  readonly now: () => number
}

/** One administrative change. Texts are ids and fixed words, never what a person has typed. */
export interface AuditEntry {
  /** The admin; null for the command line. */
  readonly actorId: string | null
  readonly actorKind: 'admin' | 'command-line'
  /** What is changed and how, such as `user.promote`. */
  readonly action: string
  /** The id of the user, offer or share that is changed. */
  readonly subjectId: string | null
  readonly details: Readonly<Record<string, number | string>>
}

interface ErrorOutcome {
  readonly outcome: 'refused' | 'failed'
  /** The code of the error. */
  readonly code: string
}

type AuditOutcome = { readonly outcome: 'done' } | ErrorOutcome

export type AuditVerification =
  | { readonly ok: true; readonly count: number; readonly head: AuditHead }
  /** `seq` is the position of the first row that is not as it was written. */
  | { readonly ok: false; readonly seq: number; readonly reason: AuditProblem }

interface VerifyOptions {
  /** A head from an earlier verification or export, which shows if the end of the log was cut off. */
  readonly expectedHead?: AuditHead | undefined
  /** Rows that are read at once. */
  readonly batch?: number | undefined
}

const rowsPerBatch = 10_000
const rowsPerExport = 1000
const fixedText = /^[\w.:-]{1,64}$/

/** The append-only audit log of administrative changes. */
export function createAudit({ store, key, now }: AuditDeps) {
  const append = (transaction: AuditTransaction, entry: AuditEntry, outcome: AuditOutcome): Promise<void> =>
    store.append(transaction, (previous) => createRow(entry, outcome, previous ?? emptyHead))

  function createRow(entry: AuditEntry, { outcome, ...code }: AuditOutcome, previous: AuditHead): AuditRow {
    const row = {
      seq: previous.seq + 1,
      at: now(),
      actor_id: entry.actorId,
      actor_kind: entry.actorKind,
      action: entry.action,
      subject_id: entry.subjectId,
      outcome,
      details: JSON.stringify({ ...entry.details, ...code }),
      previous_hash: previous.hash,
    }
    return { ...row, hash: hashAuditRow(key, row) }
  }

  const record = (entry: AuditEntry, outcome: AuditOutcome): Promise<void> =>
    store.transaction((transaction) => append(transaction, entry, outcome))

  /** Appends a row about the error. If that fails, an expected error gives way to the failure, and another does not. */
  async function recordError(entry: AuditEntry, error: unknown): Promise<void> {
    const outcome = outcomeOf(error)
    await record(entry, outcome).catch((failure: unknown) => {
      if (outcome.outcome === 'refused') throw failure
    })
  }

  /** Yields all rows in batches, so that the length of the log does not matter. */
  async function* listBatches(batch: number): AsyncGenerator<readonly AuditRow[]> {
    for (let after: number | null = null; ; ) {
      const rows: readonly AuditRow[] = await store.list(after, batch)
      if (rows.length > 0) yield rows
      if (rows.length < batch) return
      after = rows.at(-1)?.seq ?? after
    }
  }

  return {
    /**
     * Runs the action in a transaction and appends its row in the same one. The action must use this transaction for all
     * that it reads and writes. If it throws, it is rolled back, and a row about the error is appended.
     */
    async run<Result>(entry: AuditEntry, action: (transaction: AuditTransaction) => Promise<Result>): Promise<Result> {
      requireFixedTexts(entry)
      try {
        return await store.transaction(async (transaction) => {
          const result = await action(transaction)
          await append(transaction, entry, { outcome: 'done' })
          return result
        })
      } catch (error) {
        await recordError(entry, error)
        throw error
      }
    },
    /** Runs a check that comes before an action, and appends a row only if it throws. */
    async runCheck<Result>(entry: AuditEntry, check: () => Promise<Result>): Promise<Result> {
      requireFixedTexts(entry)
      return check().catch(async (error: unknown) => {
        await recordError(entry, error)
        throw error
      })
    },
    /** Runs an action that cannot share a transaction, and then appends its row. */
    async runOutside<Result>(entry: AuditEntry, action: () => Promise<Result>): Promise<Result> {
      requireFixedTexts(entry)
      // Rejects before the action if the log cannot be reached.
      await store.head()
      const result = await action().catch(async (error: unknown) => {
        await recordError(entry, error)
        throw error
      })
      await record(entry, { outcome: 'done' })
      return result
    },
    /** Verifies the whole log. A missing end shows only against an earlier head. */
    async verify({ expectedHead, batch = rowsPerBatch }: VerifyOptions = {}): Promise<AuditVerification> {
      let head = emptyHead
      for await (const rows of listBatches(batch)) {
        for (const row of rows) {
          const reason = findAuditProblem(key, head, row)
          if (reason !== null) return { ok: false, seq: row.seq, reason }
          if (row.seq === expectedHead?.seq && row.hash !== expectedHead.hash)
            return { ok: false, seq: row.seq, reason: 'other-row' }
          head = { seq: row.seq, hash: row.hash }
        }
      }
      if (expectedHead && expectedHead.seq > head.seq) return { ok: false, seq: head.seq + 1, reason: 'end-missing' }
      return { ok: true, count: head.seq, head }
    },
    /** Yields each row as a line of NDJSON, and a last line with the head. */
    async *export(): AsyncGenerator<string> {
      let head = emptyHead
      for await (const rows of listBatches(rowsPerExport)) {
        for (const row of rows) yield JSON.stringify(row)
        const { seq, hash } = rows.at(-1) ?? head
        head = { seq, hash }
      }
      yield JSON.stringify({ head })
    },
  }
}

export type Audit = ReturnType<typeof createAudit>

/** An error that the caller has caused is a refused action; every other one is a failed action. */
function outcomeOf(error: unknown): ErrorOutcome {
  if (error instanceof UsageError) return { outcome: 'refused', code: error.code }
  if (error instanceof BackupError) return { outcome: 'failed', code: error.code }
  if (!(error instanceof ApiError)) return { outcome: 'failed', code: 'INTERNAL' }
  return { outcome: error.status < 500 ? 'refused' : 'failed', code: error.code }
}

/** Throws if a text could be an email address, a name or a message. */
function requireFixedTexts({ actorId, action, subjectId, details }: AuditEntry): void {
  for (const value of [actorId, action, subjectId, ...Object.keys(details), ...Object.values(details)])
    if (typeof value === 'string' && !fixedText.test(value))
      throw new TypeError(`The audit log accepts ids and fixed words, but no other text (${action})`)
}
