import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.rules.ts'

const drain = (queue: ReturnType<typeof createFairQueue<string>>): string[] => {
  const order: string[] = []
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) order.push(task)
  return order
}

test('owners are served round-robin regardless of their number of tasks', () => {
  const queue = createFairQueue<string>({ length: 10, lengthPerOwner: 10 })
  for (const task of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(task.charAt(0), task)

  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('new owners are served first, then the least recently served', () => {
  const queue = createFairQueue<string>({ length: 10, lengthPerOwner: 10 })
  for (const owner of ['a', 'b', 'c']) queue.push(owner, `${owner}1`)
  drain(queue)
  for (const owner of ['c', 'b', 'a', 'new']) queue.push(owner, `${owner}2`)

  expect(drain(queue)).toEqual(['new2', 'a2', 'b2', 'c2'])
})

test('a full queue drops the newest task of the owner with the most tasks', () => {
  const queue = createFairQueue<string>({ length: 3, lengthPerOwner: 10 })
  for (const task of ['a1', 'b1', 'a2']) queue.push(task.charAt(0), task)

  expect(queue.push('c', 'c1')).toBe('a2')
  expect(queue.push('a', 'a3')).toBe('a3')
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1'])
})

test('if all owners have one task, a full queue drops that of the most recently served owner', () => {
  const queue = createFairQueue<string>({ length: 2, lengthPerOwner: 10 })
  for (const owner of ['a', 'b']) queue.push(owner, `${owner}1`)
  drain(queue)
  for (const owner of ['b', 'a']) queue.push(owner, `${owner}2`)

  expect(queue.push('new', 'new1')).toBe('b2')
  expect(queue.size()).toBe(2)
})

test('one owner cannot exceed its own limit', () => {
  const queue = createFairQueue<string>({ length: 10, lengthPerOwner: 2 })

  expect(['a1', 'a2', 'a3'].map((task) => queue.push('a', task))).toEqual([undefined, undefined, 'a3'])
  expect(queue.size()).toBe(2)
})
