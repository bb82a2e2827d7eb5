import type { OwnShare, UpdateShareInput } from '@sallyport/client/sharing/share-link'
import type { Archives } from '@sallyport/transfers/browser/downloads/archives'
import type { OpenFile } from '@sallyport/transfers/browser/downloads/open-file'
import type { ServedPreview } from '@sallyport/transfers/browser/downloads/served-preview'
import type { InterruptedUploads } from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import type { UploadsElsewhere } from '@sallyport/transfers/browser/uploads/uploads-elsewhere'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { createContext } from 'react'
import type { TransferAnnouncements } from '#/components/transfers/transfer-announcements.ts'
import type { FileNameCache } from '#/lib/file-name-cache.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import type { DeviceSaves } from './preview/device-saves.ts'
import type { FileRef, StoredFile } from './stored-files.ts'

/** The file services of the signed-in account, available on every screen. */
export interface FilesContextValue {
  readonly uploads: JobList
  readonly interrupted: InterruptedUploads
  readonly uploadsElsewhere: UploadsElsewhere
  readonly startDownload: (file: StoredFile) => void
  /** Downloads into the user's downloads, and into the page. */
  readonly downloads: JobList
  readonly archives: Archives
  readonly transfers: {
    /** Uploads, downloads and archives. */
    readonly own: JobList
    /** Other transfers of this page, such as those of a portal. */
    readonly others: JobList
    readonly all: JobList
  }
  /** Decrypts a file for this page itself. */
  readonly openFile: (file: FileRef) => OpenFile
  /** Serves a decrypted file at a URL with support for range requests. */
  readonly streamFile: (file: FileRef, mediaType: string) => Promise<ServedPreview>
  readonly deviceSaves: DeviceSaves
  readonly fileNames: FileNameCache
  readonly shareLinks: {
    /** The complete link to a file, including its key. The link is stable. */
    readonly linkTo: (file: FileRef) => Promise<string>
    /** Creates or finds the share of a file and applies a change. */
    readonly open: (file: FileRef, change?: UpdateShareInput) => Promise<OwnShare>
    /** Revokes every link to a file. */
    readonly stop: (fileId: string) => Promise<void>
  }
  readonly announcements: TransferAnnouncements
}

const FilesContext = createContext<FilesContextValue | null>(null)

export const FilesProvider = FilesContext.Provider
export const useFilesContext = (): FilesContextValue => useRequiredContext(FilesContext)
