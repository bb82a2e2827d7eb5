import { messageLimits, mfaLimits } from '@sallyport/contract/limits'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'

/** A window opens with its first attempt, so at most 31 windows of one day begin within 30 days. */
const daysInMonth = 31
const codes = 10 ** mfaLimits.codeDigits
/** The current time step, the previous one and the next one. */
const validAppCodes = 3

/** The probability that at least one of `guesses` independent guesses is right. */
const probabilityOf = (guesses: number, valid: number): number => 1 - (1 - valid / codes) ** guesses

const perMonth = (perDay: number): number => perDay * daysInMonth

test('guessing the emailed codes of one account succeeds with a probability below 1 in 1000 per month', () => {
  const guesses = perMonth(rateLimits.oneTimeCodeFailuresPerAccount.points)
  const probability = probabilityOf(guesses, 1)

  process.stdout.write(
    `emailed codes: ${guesses} guesses per month, probability ${probability.toExponential(1)} per account\n`,
  )
  expect(probability).toBeLessThan(1e-3)
})

test('guessing texted codes from many networks succeeds with a probability below 1 in 400 per number and day', () => {
  const { points, windowSeconds } = rateLimits.messagesPerRecipient
  const texts = points * ((24 * 60 * 60) / windowSeconds)
  const probability = probabilityOf(texts * messageLimits.attemptsPerCode, 1)

  process.stdout.write(
    `texted codes: ${texts} texts per day, probability ${probability.toExponential(1)} per number and day\n`,
  )
  expect(probability).toBeLessThan(1 / 400)
})

test('guessing authenticator codes with the right password succeeds with a probability below 1 in 500 per month', () => {
  const perDay = Math.max(...guessingLimits.mfaTiers.map(({ points }) => points))
  const longestWindow = Math.max(...guessingLimits.mfaTiers.map(({ windowSeconds }) => windowSeconds))
  const probability = probabilityOf(perMonth(perDay), validAppCodes)
  const probabilityBeforeNotice = probabilityOf(guessingLimits.codeNoticeAfter, validAppCodes)

  process.stdout.write(
    `authenticator codes: ${perMonth(perDay)} guesses per month, probability ${probability.toExponential(1)}; ` +
      `${probabilityBeforeNotice.toExponential(1)} before the owner is notified\n`,
  )
  expect(longestWindow).toBe(guessingLimits.windowSeconds)
  expect(probability).toBeLessThan(1 / 500)
})

test('the wait after wrong MFA codes grows with the number of failures', () => {
  const { mfaTiers: tiers } = guessingLimits
  const sorted = tiers.toSorted((one, other) => one.windowSeconds - other.windowSeconds)

  expect(sorted).toEqual(tiers)
  expect(sorted.toSorted((one, other) => one.points - other.points)).toEqual(tiers)
})
