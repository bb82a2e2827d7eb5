import { messageLimits, secondFactorLimits } from '@sallyport/contract/limits'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'

/** A window opens with the first attempt in it, so that no more than 31 windows of a day begin within 30 days. */
const daysInMonth = 31
const codes = 10 ** secondFactorLimits.codeDigits
/** The step of now, the one before and the one after. */
const validAppCodes = 3

/** The chance that one of so many independent guesses is right. */
const chanceOf = (guesses: number, right: number): number => 1 - (1 - right / codes) ** guesses

const perMonth = (perDay: number): number => perDay * daysInMonth

test('a stranger finds a mailed code of a given account with a chance below one in a thousand a month', () => {
  const guesses = perMonth(rateLimits.oneTimeCodeFailuresPerAccount.points)
  const chance = chanceOf(guesses, 1)

  process.stdout.write(`mailed codes: ${guesses} guesses a month, chance ${chance.toExponential(1)} per account\n`)
  expect(chance).toBeLessThan(1e-3)
})

test('strangers with many networks find a texted code with a chance below one in four hundred a day', () => {
  const { points, windowSeconds } = rateLimits.messagesPerRecipient
  const texts = points * ((24 * 60 * 60) / windowSeconds)
  const chance = chanceOf(texts * messageLimits.attemptsPerCode, 1)

  process.stdout.write(`texted codes: ${texts} texts a day, chance ${chance.toExponential(1)} per number and day\n`)
  expect(chance).toBeLessThan(1 / 400)
})

test('who knows the password finds a code of the app with a chance below one in five hundred a month', () => {
  const perDay = Math.max(...guessingLimits.secondFactorTiers.map(({ points }) => points))
  const longest = Math.max(...guessingLimits.secondFactorTiers.map(({ windowSeconds }) => windowSeconds))
  const chance = chanceOf(perMonth(perDay), validAppCodes)
  const informedAfter = chanceOf(guessingLimits.codeNoticeAfter, validAppCodes)

  process.stdout.write(
    `codes of an app: ${perMonth(perDay)} guesses a month, chance ${chance.toExponential(1)}; ` +
      `${informedAfter.toExponential(1)} before the owner is informed\n`,
  )
  expect(longest).toBe(guessingLimits.windowSeconds)
  expect(chance).toBeLessThan(1 / 500)
})

test('the waits after wrong codes of a second factor grow with their number', () => {
  const { secondFactorTiers: tiers } = guessingLimits
  const sorted = tiers.toSorted((one, other) => one.windowSeconds - other.windowSeconds)

  expect(sorted).toEqual(tiers)
  expect(sorted.toSorted((one, other) => one.points - other.points)).toEqual(tiers)
})
