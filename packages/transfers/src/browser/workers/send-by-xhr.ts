import type { SendBytes } from '../../engine/upload/encrypt-worker.ts'

/** Sends a request body by XMLHttpRequest, the only API that reports upload progress. */
export const sendViaXhr: SendBytes = ({ request, body, timeoutMs, onSent, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => {
      xhr.abort()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    xhr.onloadend = () => signal.removeEventListener('abort', abort)
    xhr.upload.onprogress = ({ loaded }) => onSent(loaded)
    xhr.onerror = () => resolve({ kind: 'unreachable' })
    xhr.ontimeout = () => resolve({ kind: 'timeout' })
    xhr.onload = () =>
      resolve({
        kind: 'answered',
        status: xhr.status,
        body: xhr.responseText,
        retryAfter: xhr.getResponseHeader('Retry-After'),
        date: xhr.getResponseHeader('Date'),
      })

    xhr.open(request.method, request.url)
    xhr.timeout = timeoutMs
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    xhr.send(body)
  })
