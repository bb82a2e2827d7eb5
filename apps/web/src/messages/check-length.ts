import { ApiError } from '@sallyport/client/errors'
import { errorCatalogue } from '@sallyport/contract/errors'
import { chatLimits } from '@sallyport/contract/limits'

/** Refuses in the server's words what the server would refuse anyway. */
export function checkLength<Texted extends { readonly text: string }>(message: Texted): Texted {
  if (new TextEncoder().encode(message.text).length <= chatLimits.textBytes) return message
  const { status, text } = errorCatalogue.MESSAGE_TOO_LONG
  throw new ApiError({ status, statusText: 'Payload Too Large', code: 'MESSAGE_TOO_LONG', message: text })
}
