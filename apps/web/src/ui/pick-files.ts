import { keepHandle } from './file-handles.ts'

interface Pick {
  readonly multiple: boolean
}

/** Whether this browser's picker gives handles that last. */
export const hasLastingPicker = (): boolean => window.showOpenFilePicker !== undefined

/** Lets the person choose; none when they think better of it. Has to be called in the midst of a press. */
export async function pickFiles({ multiple }: Pick): Promise<File[]> {
  if (!window.showOpenFilePicker) return pickByInput({ multiple })
  try {
    const handles = await window.showOpenFilePicker({ multiple })
    return await Promise.all(
      handles.map(async (handle) => {
        const file = await handle.getFile()
        keepHandle(file, Promise.resolve(handle))
        return file
      }),
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

/** The files of a folder, each with its `webkitRelativePath`. Has to be called in the midst of a press. */
export const pickFolder = (): Promise<File[]> => pickByInput({ multiple: true, folder: true })

/** Phones have no picker for folders. */
export const canPickFolders = (): boolean => 'webkitdirectory' in HTMLInputElement.prototype

function pickByInput({ multiple, folder = false }: Pick & { readonly folder?: boolean }): Promise<File[]> {
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
