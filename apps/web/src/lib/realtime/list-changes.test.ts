import { expect, test } from 'vitest'
import { applyChanges, type ListChange, shareUnchanged } from './list-changes.ts'

interface ListedItem {
  readonly id: string
  readonly downloads: number
}

const itemsOf = (...ids: string[]): ListedItem[] => ids.map((id) => ({ id, downloads: 0 }))
const inserted = (id: string): ListChange<ListedItem> => ({ type: 'inserted', item: { id, downloads: 0 } })
const deleted = (id: string): ListChange<ListedItem> => ({ type: 'deleted', id })
const downloaded = (id: string): ListChange<ListedItem> => ({
  type: 'changed',
  id,
  update: (item) => ({ ...item, downloads: item.downloads + 1 }),
})

test('list changes: new items are on top, the newest first; a deleted one is gone', () => {
  const changes = [inserted('c'), inserted('d'), deleted('a'), inserted('e'), deleted('d')]

  expect(applyChanges(itemsOf('b', 'a'), changes).map(({ id }) => id)).toEqual(['e', 'c', 'b'])
})

test('list changes: several changes of one item are applied in their order', () => {
  const listed = applyChanges(itemsOf('a', 'b'), [
    downloaded('a'),
    downloaded('a'),
    deleted('b'),
    downloaded('b'),
    inserted('b'),
    inserted('c'),
    downloaded('c'),
  ])

  expect(listed.map(({ id, downloads }) => [id, downloads])).toEqual([
    ['c', 1],
    ['b', 0],
    ['a', 2],
  ])
})

test('list changes: an item that is inserted again stays the same object in its position', () => {
  const before = itemsOf('a', 'b')

  const listed = applyChanges(before, [inserted('b')])

  expect(listed[1]).toBe(before[1])
  expect(listed).toHaveLength(2)
})

test('P16 many changes walk through a long list as often as one change', () => {
  let reads = 0
  const listed = Array.from({ length: 1000 }, (_, index) => ({
    get id() {
      reads += 1
      return `listed ${index}`
    },
    downloads: 0,
  }))
  const countReads = (changes: readonly ListChange<ListedItem>[]) => {
    reads = 0
    applyChanges(listed, changes)
    return reads
  }
  const many = Array.from({ length: 500 }, (_, index) => inserted(`new ${index}`))

  expect(countReads(many)).toBe(countReads([inserted('new')]))
})

test('unchanged items stay the same objects when a list arrives with a new item on top', () => {
  const before = itemsOf('a', 'b')

  const next = shareUnchanged(before, [...itemsOf('new', 'a'), { id: 'b', downloads: 1 }]) as ListedItem[]

  expect(next.map((item) => before.includes(item))).toEqual([false, true, false])
  expect(shareUnchanged(before, itemsOf('a', 'b'))).toBe(before)
  expect(shareUnchanged(undefined, before)).toBe(before)
})
