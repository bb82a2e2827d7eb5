/** What an access token says; nothing for one that cannot be read. */
export function readClaims(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    return JSON.parse(atob(payload)) as Record<string, unknown>
  } catch {
    return {}
  }
}
