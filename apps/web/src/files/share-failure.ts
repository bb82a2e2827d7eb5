import { ShareAddressError } from '@sallyport/client/sharing/share-address'
import { SpokenError } from '#/api/failure.ts'
import { linkWords } from '#/words/links.ts'

/** Puts the refusal of a share address into words for people; any other failure passes as it is. */
export async function withShareWords<T>(sharing: Promise<T>): Promise<T> {
  try {
    return await sharing
  } catch (error) {
    throw error instanceof ShareAddressError ? new SpokenError(linkWords.addressRefused, { cause: error }) : error
  }
}
