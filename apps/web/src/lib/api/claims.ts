/** Decodes the claims of an access token; returns an empty object if it is malformed. */
export function readClaims(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    return JSON.parse(atob(payload)) as Record<string, unknown>
  } catch {
    return {}
  }
}
