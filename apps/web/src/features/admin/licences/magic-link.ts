import { adminLicencesStrings } from '#/strings/admin/licences.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'

/** The invitation link of this site with the token that the server has sent: only the server's token counts, not its host. */
export function magicLinkOf(link: string, origin: string): string {
  const token = /\/invite\/([\w-]{43})$/.exec(link)?.[1]
  if (token === undefined) throw new UserFacingError(adminLicencesStrings.createFailed)
  return `${origin}/invite/${token}`
}
