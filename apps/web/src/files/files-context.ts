import type { Observable } from '@sallyport/client/observable'
import type { OwnShare, ShareChange } from '@sallyport/client/sharing/share-link'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { createContext } from 'react'
import type { NameBook } from '#/file-views/name-book.ts'
import type { TransferNews } from '#/transfer-views/transfer-news.ts'
import type { OtherTransfer } from '#/transfer-views/transfer-state.ts'
import type { Archives } from '#/transfers/archives.ts'
import type { ListedDownload } from '#/transfers/downloads.ts'
import type { OpenFile } from '#/transfers/open-file.ts'
import type { ServedPreview } from '#/transfers/served-preview.ts'
import type { UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { useRequired } from '#/ui/use-required.ts'
import type { Savings } from './savings.ts'
import type { ChosenFile, StoredFile } from './stored-files.ts'

/** What works on the files of the account that is open, whatever screen is shown. */
export interface FileWork {
  readonly uploads: UploadQueue
  readonly unfinished: UnfinishedUploads
  readonly downloads: {
    readonly list: Observable<readonly ListedDownload[]>
    readonly start: (file: StoredFile) => void
    readonly cancel: (id: string) => void
    readonly retry: (id: string) => void
    readonly dismiss: (id: string) => void
  }
  readonly archives: Archives
  /** What moves elsewhere on this page, for those who follow all that does. */
  readonly otherTransfers: Observable<readonly OtherTransfer[]>
  /** Opens a file for this page itself. */
  readonly openFile: (file: ChosenFile) => OpenFile
  /** Has a file answered at an address of its own, any range of it. */
  readonly playFile: (file: ChosenFile, mediaType: string) => Promise<ServedPreview>
  readonly savings: Savings
  readonly names: NameBook
  readonly shareLinks: {
    /** The whole link to a file, its key included; the same each time. */
    readonly linkTo: (file: ChosenFile) => Promise<string>
    /** Shares a file, or finds the share there is, and changes what is said about it. */
    readonly open: (file: ChosenFile, change?: ShareChange) => Promise<OwnShare>
    /** Ends every link to a file. */
    readonly stop: (fileId: string) => Promise<void>
  }
  readonly news: TransferNews
}

const FilesContext = createContext<FileWork | null>(null)

export const FilesProvider = FilesContext.Provider
export const useFileWork = (): FileWork => useRequired(FilesContext)
