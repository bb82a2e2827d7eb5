// Chromium's part of the File System Access API, which TypeScript's DOM library lacks.

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

interface FileSystemHandle {
  queryPermission?(wanted: { mode: 'read' }): Promise<PermissionState>
  requestPermission?(wanted: { mode: 'read' }): Promise<PermissionState>
}

interface Window {
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>
}
