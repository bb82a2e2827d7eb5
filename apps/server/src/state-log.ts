import type { Logger } from 'pino'

interface StateLogOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly failed: string
  readonly recovered: string
}

/** Logs a condition when it starts and when it ends, and not for each request that meets it. */
export interface StateLog {
  fail(reason: string): void
  recover(): void
}

export function createStateLog({ log, failed, recovered }: StateLogOptions): StateLog {
  let isFailing = false
  return {
    fail(reason) {
      if (!isFailing) log.warn({ reason }, failed)
      isFailing = true
    },
    recover() {
      if (isFailing) log.info(recovered)
      isFailing = false
    },
  }
}

/** The cause of an API error says more to an operator than its public message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
