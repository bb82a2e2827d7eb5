import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { translations } from '@zxcvbn-ts/language-en'
import { serveTasks } from './serve-tasks.ts'
import type { StrengthTasks } from './tasks.ts'

/** Guessing is tried this far only: whatever is longer is strong by then, and the search grows with the length. */
const lettersLookedAt = 128

// The lists of English words and names would weigh three times as much again, and find little that these do not.
const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations })

serveTasks<StrengthTasks>({
  async judge({ password, own }) {
    const { score, feedback } = judge.check(password.slice(0, lettersLookedAt), [...own])
    return { score, warning: feedback.warning ?? null }
  },
})
