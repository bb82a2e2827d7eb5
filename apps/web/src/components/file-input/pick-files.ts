import { setFileHandle } from '@sallyport/transfers/browser/uploads/file-handles'

interface PickFilesOptions {
  readonly multiple: boolean
}

/** Whether this browser's file picker returns persistable handles. */
export const hasPersistentPicker = (): boolean => window.showOpenFilePicker !== undefined

/** Opens the file picker; empty if cancelled. Requires user activation. */
export async function pickFiles({ multiple }: PickFilesOptions): Promise<File[]> {
  if (!window.showOpenFilePicker) return pickWithInput({ multiple })
  try {
    const handles = await window.showOpenFilePicker({ multiple })
    return await Promise.all(
      handles.map(async (handle) => {
        const file = await handle.getFile()
        setFileHandle(file, Promise.resolve(handle))
        return file
      }),
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

/** Opens the folder picker; each file has its `webkitRelativePath`. Requires user activation. */
export const pickFolder = (): Promise<File[]> => pickWithInput({ multiple: true, folder: true })

/** Phones have no picker for folders. */
export const canPickFolders = (): boolean => 'webkitdirectory' in HTMLInputElement.prototype

function pickWithInput({
  multiple,
  folder = false,
}: PickFilesOptions & { readonly folder?: boolean }): Promise<File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = multiple
  input.webkitdirectory = folder
  return new Promise((resolve) => {
    input.onchange = () => resolve([...(input.files ?? [])])
    input.oncancel = () => resolve([])
    input.click()
  })
}
