import { expect, test } from 'vitest'
import { defaultOptions, readUserListOptions, type UserListOptions, writeUserListOptions } from './user-list-options.ts'

const read = (query: string) => readUserListOptions(new URLSearchParams(query))

test('ADM-02 the options of the users list survive the URL', () => {
  const options: UserListOptions = {
    page: 3,
    search: 'ann+&x@example.org',
    licence: 'paid',
    sortBy: 'total_storage',
    order: 'asc',
  }

  expect(readUserListOptions(writeUserListOptions(options))).toEqual(options)
  expect(writeUserListOptions(defaultOptions).toString()).toBe('tab=users')
})

test('ADM-02 invalid options in the URL are ignored', () => {
  expect(read('page=0&license_type=gold&sort_by=password&sort_order=up')).toEqual(defaultOptions)
  expect(['page=-1', 'page=1.5', 'page=x', 'page=1000001'].map((query) => read(query).page)).toEqual([1, 1, 1, 1])
  expect(read(`search=${'a'.repeat(300)}`).search).toHaveLength(200)
})
