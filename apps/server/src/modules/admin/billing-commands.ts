import type { Audit, AuditEntry } from './audit/audit.ts'
import { UsageError } from './options.ts'

type Options = Readonly<Record<string, string | undefined>>

interface BillingCommandsDeps {
  readonly audit: Pick<Audit, 'runCheck' | 'runOutside'>
  /** Yields what it did and found. */
  readonly setUpBilling: (isDryRun: boolean) => AsyncGenerator<string>
}

const setupEntry: AuditEntry = {
  actorId: null,
  actorKind: 'command-line',
  action: 'billing.setup',
  subjectId: null,
  details: {},
}

/** The command that sets up the payment provider. */
export const createBillingCommands =
  ({ audit, setUpBilling }: BillingCommandsDeps) =>
  ([subcommand, ...more]: readonly string[], options: Options): AsyncGenerator<string> => {
    if (more.length > 0 || subcommand !== 'setup') throw new UsageError('billing expects setup')
    return options['dry-run'] === undefined ? setUp(audit, setUpBilling(false)) : setUpBilling(true)
  }

/** Yields each line at once: a secret in it is not shown a second time. */
async function* setUp(audit: BillingCommandsDeps['audit'], lines: AsyncGenerator<string>): AsyncGenerator<string> {
  for (;;) {
    const next = await audit.runCheck(setupEntry, () => lines.next())
    if (next.done) break
    yield next.value
  }
  await audit.runOutside(setupEntry, async () => undefined)
}
