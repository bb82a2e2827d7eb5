import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { alternate, measure } from './compare.ts'
import { curl, uploadByCurl } from './curl.ts'
import { type Finding, judge, notRun } from './findings.ts'
import { findNginx, startNginx } from './nginx.ts'
import { makePlain } from './plain.ts'
import { ratioOf, report } from './report.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench } from './workbench.ts'

const measureName = 'server CPU, download ÷ nginx with sendfile off'
const yardstick = 'nginx, sendfile off'
const ours = 'Sallyport'

/** What a downloaded byte costs this server, against one that hands out a file as it lies. Curl is on the other side. */
export async function compareWithNginx({ megabytes = 512, ...turns }: Wishes): Promise<Finding[]> {
  const nginxPath = findNginx()
  if (!nginxPath) return [notRun('P4', measureName, 'there is no nginx')]
  const bytes = megabytes * 1e6
  return onWorkbench(async (workbench) => {
    const { server, account, folder } = workbench
    const plain = await makePlain(workbench, bytes)
    const authorization = `authorization: ${plain.headers.authorization}`
    await uploadByCurl(server.url, plain)
    const [stored] = (await account.call(files.list, {})).files
    if (!stored) throw new Error('Nothing was stored')
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
          { name: ours, run: () => measure({ serverId: server.processId }, fetchOurs) },
        ],
        turns,
      )
      report({ name: 'Beside nginx', bytes, yardstick, runs })
      return [
        judge({
          id: 'P4',
          measure: measureName,
          value: ratioOf({ runs, yardstick }, ours, 'serverCpuSeconds').median,
          aim: { atMost: 1.2 },
        }),
      ]
    } finally {
      await nginx.stop()
    }
  })
}
