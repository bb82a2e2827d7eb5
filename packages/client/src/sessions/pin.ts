import { pinRules } from '@sallyport/contract/limits'

const { smallest, largest } = pinRules
const choices = largest - smallest + 1
/** Numbers from here on would make some PINs likelier than others. */
const fairBelow = Math.floor(2 ** 32 / choices) * choices

/** A PIN at random, each as likely as any other. */
export function drawPin(): string {
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (drawn < fairBelow) return String(smallest + (drawn % choices))
  }
}
