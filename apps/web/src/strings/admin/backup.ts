import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

export const adminBackupStrings = area('adminBackup', {
  heading: 'Backup',
  text: 'A copy of the database, the secrets and all files. Keep it on another disk or machine.',
  notConfigured:
    'Backups from this page aren’t set up. On the server, set BACKUP_DIR to a folder and BACKUP_TO to the public keys that backups are encrypted for, then restart it. docs/backup.md explains both.',
  loadFailed: 'Failed to load the last backup',
  none: 'There’s no backup yet. Everything would be lost with this server’s disk.',
  old: (days: number) => `The last backup is more than ${days} days old.`,
  unreadable:
    'The server can’t read the folder of the backups. Check that its disk is mounted and that the server’s user may read it.',
  last: 'Last backup',
  never: 'None',
  size: 'Size',
  files: 'Files',
  withoutFiles: 'Database only, without files',
  secrecy: 'Database and secrets',
  sealed: 'Encrypted',
  plain: 'Not encrypted',
  folder: 'Folder on the server',
  backUp: 'Back up now',
  question: 'Back up now?',
  consequenceSealed: (folder: string) =>
    `The database, the secrets and all files are copied to ${folder}. Database and secrets are encrypted for the keys in BACKUP_TO. Runs older than BACKUP_DAYS are deleted. The server may be slower meanwhile.`,
  consequencePlain: (folder: string) =>
    `The database, the secrets and all files are copied to ${folder}. Nothing is encrypted for it: everyone who can read the folder can read email addresses and secrets. Runs older than BACKUP_DAYS are deleted. The server may be slower meanwhile.`,
  starting: 'Starting...',
  stop: 'Stop',
  stopping: 'Stopping...',
  progress: 'Progress of the backup',
  steps: {
    starting: 'Starting...',
    database: 'Copying the database...',
    objects: 'Copying files...',
    finishing: 'Finishing...',
  },
  copied: (files: number, total: number) =>
    plural(total, {
      one: `${formatNumber(files)} of 1 file`,
      other: `${formatNumber(files)} of ${formatNumber(total)} files`,
    }),
  done: 'Backup complete.',
  stopped: 'Stopped. What was copied is removed.',
  failures: {
    'another-running':
      'Another backup was running in this folder, such as one from a timer or the command line. Try again when it has ended.',
    'folder-not-writable':
      'The server can’t write to the folder of the backups. Check that its disk is mounted and that the server’s user may write to it, then try again.',
    'no-space':
      'The disk is full. Free some space in the folder of the backups and in the data folder, then try again.',
    'no-dump-tool':
      'The server has no pg_dump, or one that is older than its PostgreSQL. Install the client tools of that version, then try again.',
    'volume-missing': 'A volume with files isn’t mounted. Mount it, restart the server, then try again.',
    failed: 'The backup failed. The server’s log says why.',
  },
  startFailed: 'Couldn’t start the backup. Try again.',
  stopFailed: 'Couldn’t stop the backup. Try again.',
})
