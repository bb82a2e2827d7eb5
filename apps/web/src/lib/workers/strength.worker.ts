import { serveTasks } from '@sallyport/browser/serve-tasks'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { translations } from '@zxcvbn-ts/language-en'
import type { StrengthTasks } from './tasks.ts'

/** Only the first characters are scored: longer passwords are strong anyway, and the cost grows with the length. */
const maxScoredLength = 128

// The English word and name lists would quadruple the download and improve the score little.
const estimator = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  translations: { ...translations, warnings: namesOf(translations.warnings) },
})

/** The same names, each with itself as its text: the page has texts of its own. */
function namesOf<Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, name])) as Texts
}

serveTasks<StrengthTasks>({
  async judge(password, userData) {
    const { score, feedback } = estimator.check(password.slice(0, maxScoredLength), [...userData])
    return { score, warning: feedback.warning ?? null }
  },
})
