import { chatLimits } from '@sallyport/contract/limits'

/** Long enough that 12 of them fill a page. */
export const texts = Array.from(
  { length: 30 },
  (_, index) => `message ${index}\n${'x'.repeat(chatLimits.textBytes - 100)}`,
)
export const firstLine = (text: string | undefined): string => text?.split('\n')[0] ?? ''
