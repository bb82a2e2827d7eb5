export const usage = `Usage: npm run admin -- <command> [options]

Works beside a running server, on the same settings (DATA_DIR, DATABASE_URL, PUBLIC_URL, SMTP_URL).

People
  promote EMAIL                 make somebody an admin
  demote EMAIL                  take that back; the last admin stays
  ban EMAIL [--days N]          sign somebody out and keep them out, for good or for so many days
  unban EMAIL                   let them in again
  licence EMAIL --type TYPE [--days N] [--storage-gb N]
                                give an account a licence; without --days it never ends
  licence EMAIL --extend N      let the licence an account holds last so many days longer

Licences to hand out
  licence-key --type TYPE [--days N] [--storage-gb N] [--uses N]
                                print a key that is typed when signing up
  magic-link --type TYPE [--days N] [--storage-gb N] [--seats N] [--uses N] [--mail EMAIL]
                                print a link that is good for seven days, and mail it if you like

Keys
  rotate-keys                   make a new key for access tokens; start the server anew afterwards

TYPE is trial, personal, vip, business or nonprofit; --days counts from the day a licence is taken up.
`
