import { expect, test } from 'vitest'
import { chosenName, createAnonymousNames } from './anonymous-names.ts'

test('SES-06 participants without a name are numbered by the order in which they joined', () => {
  const names = createAnonymousNames()
  names.number([
    { id: 'second', joined_at: 20 },
    { id: 'first', joined_at: 10 },
  ])

  expect(['first', 'second'].map(names.nameOf)).toEqual(['Anonymous 1', 'Anonymous 2'])
})

test('SES-06 a number stays with its participant when others leave and join', () => {
  const names = createAnonymousNames()
  names.number([
    { id: 'first', joined_at: 10 },
    { id: 'second', joined_at: 20 },
  ])
  names.number([
    { id: 'second', joined_at: 20 },
    { id: 'third', joined_at: 30 },
  ])

  expect(['second', 'third'].map(names.nameOf)).toEqual(['Anonymous 2', 'Anonymous 3'])
})

test('SES-06 a participant who was never listed has no number', () => {
  const names = createAnonymousNames()

  expect([names.nameOf('unknown'), names.nameOf(null)]).toEqual(['Anonymous', 'Anonymous'])
})

test.each([
  ['Mara', 'Mara'],
  ['', null],
  ['Anonymous', null],
  [null, null],
])('SES-06 the name %j counts as the chosen name %j', (name, chosen) => {
  expect(chosenName(name)).toBe(chosen)
})
