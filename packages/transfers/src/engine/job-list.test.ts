import { expect, test } from 'vitest'
import type { JobState } from './job.ts'
import { createJobList } from './job-list.ts'
import { cancelAll, completedOf, joinJobLists, removeAll, retryFailed } from './job-lists.ts'

function startList(kind: 'download' | 'archive' = 'download') {
  const runs: { readonly name: string; readonly update: (state: JobState, sizeBytes?: number) => void }[] = []
  const commands: string[] = []
  const list = createJobList<{ name: string; size: number }>({
    kind,
    run({ name }, update) {
      runs.push({ name, update })
      return {
        cancel() {
          commands.push(`cancel ${name}`)
          update({ status: 'cancelled' })
        },
        retry: () => void commands.push(`retry ${name}`),
        skip: () => void commands.push(`skip ${name}`),
      }
    },
  })
  const statuses = () => list.current().map(({ fileName, state }) => `${fileName} ${state.status}`)
  const update = (index: number, state: JobState) => runs[index]?.update(state)
  return { list, runs, commands, statuses, update }
}

const failed: JobState = { status: 'failed', error: new Error('x') }

test('createJobList: a job starts at once and publishes its states, without its folders', () => {
  const { list, runs, statuses } = startList()

  const id = list.start({ name: 'folder/a.txt', size: 0 })
  runs[0]?.update({ status: 'transferring', deliveredBytes: 1, bytesPerSecond: 0 }, 7)

  expect(statuses()).toEqual(['a.txt transferring'])
  expect(list.current()).toMatchObject([{ id, kind: 'download', sizeBytes: 7 }])
})

test('createJobList: states after the end are ignored, as are those of a run that was replaced by a retry', () => {
  const { list, runs, statuses, update } = startList()
  const id = list.start({ name: 'a', size: 1 })

  list.cancel(id)
  update(0, { status: 'done' })
  expect(statuses()).toEqual(['a cancelled'])

  list.retry(id)
  update(0, failed)
  expect(statuses()).toEqual(['a waiting'])
  update(1, { status: 'done' })
  expect(statuses()).toEqual(['a done'])
  list.retry(id)
  expect(runs).toHaveLength(2)
})

test('FIL-16 a paused archive retries or skips its file by its own id, and by that of no other transfer', () => {
  const [downloads, archives] = [startList(), startList('archive')]
  const joined = joinJobLists(downloads.list, archives.list)
  const download = downloads.list.start({ name: 'a', size: 1 })
  const archive = archives.list.start({ name: 'all.zip', size: 0 })
  downloads.update(0, failed)
  archives.update(0, { status: 'paused', error: new Error('x'), deliveredBytes: 0, bytesPerSecond: 0 })

  joined.retry(download)
  joined.skip?.(download)
  expect([downloads.statuses(), archives.commands]).toEqual([['a waiting'], []])

  joined.retry(archive)
  joined.skip?.(archive)
  expect([archives.statuses(), archives.commands]).toEqual([['all.zip paused'], ['retry all.zip', 'skip all.zip']])
})

test('createJobList: only ended jobs are dismissed and restarted', () => {
  const { list, statuses, update } = startList('archive')
  const id = list.start({ name: 'all.zip', size: 0 })
  update(0, { status: 'paused', error: new Error('x'), deliveredBytes: 0, bytesPerSecond: 0 })

  list.dismiss(id)
  list.retry(id)
  expect(statuses()).toEqual(['all.zip paused'])

  update(0, failed)
  list.dismiss(id)
  expect(statuses()).toEqual([])
})

test('cancelAll cancels the active jobs from the last to the first, and retryFailed restarts only failed ones', () => {
  const { list, commands, statuses, update } = startList()
  for (const name of ['a', 'b', 'c']) list.start({ name, size: 1 })
  update(0, failed)

  cancelAll(list)
  retryFailed(list)

  expect(commands).toEqual(['cancel c', 'cancel b'])
  expect(statuses()).toEqual(['a waiting', 'b cancelled', 'c cancelled'])
  removeAll(list)
  expect(statuses()).toEqual([])
})

test('joinJobLists: is one list of several, which is the same object until one of them changes', () => {
  const [downloads, archives] = [startList(), startList('archive')]
  const joined = joinJobLists(downloads.list, archives.list)
  let changes = 0
  const stop = joined.subscribe(() => {
    changes += 1
  })
  const id = downloads.list.start({ name: 'a', size: 4 })
  archives.list.start({ name: 'b', size: 5 })

  expect(joined.current()).toBe(joined.current())
  expect(joined.current().map(({ fileName }) => fileName)).toEqual(['a', 'b'])
  archives.update(0, { status: 'done' })
  joined.cancel(id)
  expect(downloads.commands).toEqual(['cancel a'])
  expect(completedOf(joined)).toEqual({ files: 1, bytes: 5 })
  expect(changes).toBe(4)
  stop()
  downloads.list.retry(id)
  expect(changes).toBe(4)
})
