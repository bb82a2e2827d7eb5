import { UsageError } from '../options.ts'
import type { AuditHead } from './audit.store.ts'
import type { Audit } from './audit.ts'
import type { AuditProblem } from './audit-chain.ts'

type Options = Readonly<Record<string, string | undefined>>

const problems: Readonly<Record<AuditProblem, (seq: number) => string>> = {
  'start-missing': (seq) => `begins with row ${seq} instead of row 1`,
  'rows-missing': (seq) => `has no rows directly before row ${seq}`,
  'row-changed': (seq) => `has a row ${seq} that was changed, or written without the key`,
  'row-unlinked': (seq) => `has a row ${seq} that does not follow the row before it`,
  'end-missing': (seq) => `ends before row ${seq}`,
  'other-row': (seq) => `has another row ${seq} than the one with this hash`,
}

/** The commands that verify and export the audit log. */
export const createAuditCommands =
  (audit: Pick<Audit, 'verify' | 'export'>) =>
  ([subcommand, ...more]: readonly string[], options: Options): Promise<string> | AsyncGenerator<string> => {
    if (more.length === 0 && subcommand === 'verify') return verify(audit, parseHead(options['head']))
    if (more.length === 0 && subcommand === 'export') return audit.export()
    throw new UsageError('audit expects verify or export')
  }

async function verify(audit: Pick<Audit, 'verify'>, expectedHead: AuditHead | undefined): Promise<string> {
  const result = await audit.verify({ expectedHead })
  if (!result.ok) throw new Error(`The audit log ${problems[result.reason](result.seq)}.`)
  const { count, head } = result
  return `The audit log is intact: ${count} ${count === 1 ? 'row' : 'rows'}, head ${head.seq}:${head.hash}`
}

function parseHead(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) throw new UsageError('--head expects SEQ:HASH')
  return { seq: Number(seq), hash }
}
