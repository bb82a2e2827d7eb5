import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { createPlainFile } from '../browser/plain-upload.ts'
import { alternate, measure } from '../lib/compare.ts'
import { type Finding, judge, notRun } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'
import { curl, uploadByCurl } from './curl.ts'
import { findNginx, startNginx } from './nginx.ts'

const measureName = 'server CPU, download ÷ nginx with sendfile off'
const yardstick = 'nginx, sendfile off'
const subject = 'Sallyport'

/** Compares the CPU time per downloaded byte with that of nginx, which serves a plain file. The client is curl. */
export async function compareWithNginx({ megabytes = 512, ...turns }: BenchOptions): Promise<Finding[]> {
  const nginxPath = findNginx()
  if (!nginxPath) return [notRun('P4', measureName, 'nginx is not installed')]
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async (workbench) => {
    const { server, account, folder } = workbench
    const plain = await createPlainFile(workbench, bytes)
    const authorization = `authorization: ${plain.headers.authorization}`
    await uploadByCurl(server.url, plain)
    const [stored] = (await account.call(files.list, {})).files
    if (!stored) throw new Error('The upload created no file')
    await rename(plain.path, join(folder, 'served.bin'))
    const nginx = await startNginx(nginxPath, folder)
    try {
      const fetchOurs = () => curl(['--header', authorization, `${server.url}/api/download/${stored.id}`])
      const runs = await alternate(
        [
          {
            name: yardstick,
            run: () => measure({ serverId: nginx.processId }, () => curl([`${nginx.url}/served.bin`])),
          },
          { name: subject, run: () => measure({ serverId: server.processId }, fetchOurs) },
        ],
        turns,
      )
      report({ name: 'Compared with nginx', bytes, yardstick, runs })
      return [
        judge({
          id: 'P4',
          measure: measureName,
          value: ratioOf({ runs, yardstick }, subject, 'serverCpuSeconds').median,
          target: { atMost: 1.2 },
        }),
      ]
    } finally {
      await nginx.stop()
    }
  })
}
