/** Takes a step of the start. What makes it fail is told together with the setting that has to be looked at. */
export async function namingSetting<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(`${what} cannot be used: ${reason instanceof Error ? reason.message : String(reason)}`)
  }
}
