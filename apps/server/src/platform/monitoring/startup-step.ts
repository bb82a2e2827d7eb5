/** Runs a step of the startup. If it fails, the error names the setting to check. */
export async function runStartupStep<Result>(setting: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(`${setting} cannot be used: ${reason instanceof Error ? reason.message : String(reason)}`)
  }
}
