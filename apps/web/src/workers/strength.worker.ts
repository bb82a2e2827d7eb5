import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english, translations } from '@zxcvbn-ts/language-en'
import { serveTasks } from './serve-tasks.ts'
import type { StrengthTasks } from './tasks.ts'

/** Guessing is tried this far only: whatever is longer is strong by then, and the search grows with the length. */
const lettersLookedAt = 128

const judge = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs, translations })

serveTasks<StrengthTasks>({
  async judge({ password, own }) {
    const { score, feedback } = judge.check(password.slice(0, lettersLookedAt), [...own])
    return { score, warning: feedback.warning ?? null }
  },
})
