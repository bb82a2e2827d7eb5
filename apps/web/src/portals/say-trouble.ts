import { portalTexts } from '@sallyport/client/portal/texts'

interface Coming {
  readonly isAnonymous: boolean
  readonly isByLink: boolean
}

/** What went wrong, in words that fit the way somebody came. */
export function sayTrouble(trouble: string, { isAnonymous, isByLink }: Coming): string {
  if (isByLink && trouble === portalTexts.cannotJoin) return portalTexts.cannotJoinByCode
  if (isAnonymous && trouble === portalTexts.cannotReach) return portalTexts.cannotReachAsVisitor
  return trouble
}
