import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runAdmin, runAdminProcess, signalAdminProcess } from '../../../testing/servers/admin-command.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'
import {
  backUp,
  createFiles,
  downloadAll,
  filesIn,
  flipByte,
  newestRun,
  onBothBackups,
  onEmbeddedBackup,
  restore,
  runsIn,
  stopPostgresAfterwards,
  withDatabase,
} from './testing/backup-stage.ts'

stopPostgresAfterwards()

const objectFolder = (parent: string, id: string): string => join(parent, id.slice(-2), id)

/** The pool has hard links to the volume: a copy with another byte takes the place of one. */
function damageObject(path: string): void {
  const copy = `${path}.copy`
  writeFileSync(copy, readFileSync(path))
  flipByte(copy)
  renameSync(copy, path)
}

onBothBackups('kill -9 at any moment of a backup leaves no backup, and the next run is complete', async (stage) => {
  const { member, files } = await createFiles(
    stage,
    Array.from({ length: 20 }, () => 1000),
  )
  const killAfter = (moment: string) =>
    signalAdminProcess(stage.settings, { signal: 'SIGKILL', after: moment }, 'backup', stage.folder, '--plain')
  for (const moment of ['Copying the database', 'Copied the database']) {
    const killed = await killAfter(moment)
    expect([moment, killed.code, runsIn(stage.folder)]).toEqual([moment, null, []])
  }
  await killAfter('Copied the objects')
  // The last file, which makes it a backup, may have been written before the signal came.
  for (const name of runsIn(stage.folder)) {
    expect(filesIn(join(stage.folder, name)).filter((file) => file.endsWith('.draft'))).toEqual([])
    rmSync(join(stage.folder, name), { recursive: true })
  }

  const run = await backUp(stage)

  const known = ['backup.lock', 'objects', run.slice(stage.folder.length + 1)]
  expect(readdirSync(stage.folder).toSorted()).toEqual(known.toSorted())
  expect(filesIn(run).filter((name) => name.endsWith('.draft'))).toEqual([])
  expect(existsSync(join(stage.dataFolder, 'backup-draft'))).toBe(false)
  const target = await stage.createTarget()
  expect(await restore(run, target)).toMatchObject({ code: 0 })
  const ids = files.map(({ id }) => id)
  expect(await downloadAll(target, member, ids)).toEqual(files.map(({ file }) => file.sealed))
})

onBothBackups(
  'a drill starts a server, reads all objects and removes everything; a flipped byte fails it',
  async (stage) => {
    const { files } = await createFiles(stage, [10, 200_000])
    const run = await backUp(stage)
    const { databaseName } = await stage.createTarget()
    const options = databaseName === null ? [] : ['--database', databaseName]
    const temporary = createTestFolder()
    const drill = (...more: string[]) =>
      runAdminProcess({ ...stage.settings, TMPDIR: temporary }, 'drill', run, ...options, ...more)

    const passed = await drill()
    expect([passed.code, passed.stdout]).toEqual([
      0,
      expect.stringMatching(/can be restored: 5 objects read, [\d.]+ s/),
    ])
    expect(readdirSync(temporary)).toEqual([])
    expect((await drill('--all')).code).toBe(0)

    damageObject(join(objectFolder(join(stage.folder, 'objects'), files[1]?.id ?? ''), '0'))
    const failed = await drill()
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(`file ${files[1]?.id} is damaged`)])
    expect(readdirSync(temporary)).toEqual([])

    rmSync(objectFolder(join(stage.folder, 'objects'), files[0]?.id ?? ''), { recursive: true })
    expect(await drill()).toMatchObject({ code: 1, stderr: expect.stringContaining('have no bytes in its pool') })
    if (databaseName === null) return
    const unnamed = await runAdmin(stage.settings, 'drill', run)
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining('--database NAME') })
  },
)

onBothBackups(
  'a file without bytes is skipped by a backup, and its row is removed and listed by a restore',
  async (stage) => {
    const { member, files } = await createFiles(stage, [10, 20, 30])
    const [skipped = '', lost = '', intact = ''] = files.map(({ id }) => id)
    rmSync(objectFolder(join(stage.dataFolder, 'volumes', 'main'), skipped), { recursive: true })
    const run = await backUp(stage)
    expect(JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'))).toMatchObject({ skippedFiles: 1 })
    rmSync(objectFolder(join(stage.folder, 'objects'), lost), { recursive: true })

    const target = await stage.createTarget()
    const restored = await restore(run, target)

    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('are missing: 2 files')])
    expect([restored.stdout.includes(skipped), restored.stdout.includes(lost)]).toEqual([true, true])
    expect(await downloadAll(target, member, [skipped, lost, intact])).toEqual([null, null, files[2]?.file.sealed])
    const use = await withDatabase(target, (db) => db.selectFrom('storage_use').selectAll().executeTakeFirstOrThrow())
    expect([use.file_count, use.used_bytes, use.reserved_bytes]).toEqual([1, 30, 0])
  },
)

onEmbeddedBackup(
  'files of two volumes are restored into one folder, and a missing volume is an error',
  async (stage) => {
    const folders = [join(createTestFolder(), 'one'), join(createTestFolder(), 'two')]
    const [one = '', two = ''] = folders
    const { member, files } = await createFiles({ ...stage, settings: { ...stage.settings, VOLUMES: one } }, [10])
    const settings = { ...stage.settings, VOLUMES: folders.join(',') }
    const more = await createFiles({ ...stage, settings: { ...stage.settings, VOLUMES: `${two}` } }, [20])
    renameSync(two, `${two}.unmounted`)
    const refused = await runAdmin(settings, 'backup', stage.folder, '--plain')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/files on volume \S+, which is not open/) })
    expect(runsIn(stage.folder)).toEqual([])
    renameSync(`${two}.unmounted`, two)
    const run = await backUp({ ...stage, settings })

    const target = await stage.createTarget()
    expect(await restore(run, target)).toMatchObject({ code: 0 })

    expect(await downloadAll(target, member, [files[0]?.id ?? ''])).toEqual([files[0]?.file.sealed])
    expect(await downloadAll(target, more.member, [more.files[0]?.id ?? ''])).toEqual([more.files[0]?.file.sealed])
  },
)

onEmbeddedBackup(
  'a run without bytes is restored with the objects of other runs, or into volumes that survived',
  async (stage) => {
    const { member, files } = await createFiles(stage, [10])
    await backUp(stage)
    const run = await backUp(stage, '--plain', '--no-bytes')
    expect(run).toBe(newestRun(stage.folder))
    const ids = files.map(({ id }) => id)
    const target = await stage.createTarget()
    expect(await restore(run, target)).toMatchObject({ code: 0 })
    expect(await downloadAll(target, member, ids)).toEqual(files.map(({ file }) => file.sealed))

    rmSync(join(stage.folder, 'objects'), { recursive: true })
    const VOLUMES = join(stage.dataFolder, 'volumes', 'main')
    const other = await stage.createTarget()
    const next = { ...other, settings: { ...other.settings, VOLUMES } }
    expect(await restore(run, next)).toMatchObject({ code: 0 })
    expect(await downloadAll(next, member, ids)).toEqual(files.map(({ file }) => file.sealed))
  },
)

onEmbeddedBackup('objects are links on the same file system and durable copies on another', async (stage) => {
  const { member, files } = await createFiles(stage, [100_000])
  const id = files[0]?.id ?? ''
  const stored = join(objectFolder(join(stage.dataFolder, 'volumes', 'main'), id), '0')
  await backUp(stage)
  expect(statSync(join(objectFolder(join(stage.folder, 'objects'), id), '0')).ino).toBe(statSync(stored).ino)

  if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync(tmpdir()).dev) return
  const elsewhere = mkdtempSync('/dev/shm/sallyport-test-')
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  const run = await backUp({ ...stage, folder: elsewhere })
  const copy = join(objectFolder(join(elsewhere, 'objects'), id), '0')
  expect([statSync(copy).mode & 0o777, readFileSync(copy).equals(readFileSync(stored))]).toEqual([0o600, true])
  const target = await stage.createTarget()
  mkdirSync(target.dataFolder)
  expect(await restore(run, target)).toMatchObject({ code: 0 })
  expect(await downloadAll(target, member, [id])).toEqual([files[0]?.file.sealed])
})
