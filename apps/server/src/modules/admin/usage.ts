export const usage = `Usage: npm run admin -- <command> [options]

Can run while the server is running. Uses the same settings (DATA_DIR, DATABASE_URL, PUBLIC_URL, SMTP_URL).

Users
  promote EMAIL                 make a user an admin
  demote EMAIL                  revoke admin rights; the last admin cannot be demoted
  ban EMAIL [--days N]          sign a user out and ban them, permanently or for N days
  unban EMAIL                   lift the ban
  licence EMAIL --type TYPE [--days N] [--storage-gb N]
                                grant a licence; without --days it never expires
  licence EMAIL --extend N      extend the current licence by N days

Licence offers
  licence-key --type TYPE [--days N] [--storage-gb N] [--uses N]
                                print a licence key for sign-up
  magic-link --type TYPE [--days N] [--storage-gb N] [--seats N] [--uses N] [--mail EMAIL]
                                print an invitation link that expires in 7 days, and optionally email it

Keys
  rotate-keys                   create a new signing key for access tokens; restart the server afterwards
  service-key [--days N]        print a key for the admin calls of the auth provider at /auth/v1/admin,
                                valid for N days, or a year; it is revoked by rotating the keys
                                twice and restarting the server

TYPE is trial, personal, vip, business or nonprofit; --days counts from the day a licence is claimed.
`
