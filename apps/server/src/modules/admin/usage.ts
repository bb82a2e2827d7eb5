import { messageLimits } from '@sallyport/contract/limits'

const invitationDays = messageLimits.invitationMs / (24 * 3_600_000)

export const usage = `Usage: npm run admin -- <command> [options]

Can run while the server is running. Uses the same settings (DATA_DIR, DATABASE_URL, PUBLIC_URL, SMTP_URL).

Users
  users list                    list all users, newest first: plan, storage and state, separated by tabs
  users show EMAIL              show sizes and counts of one account; contents cannot be read
  users delete EMAIL            delete the account and everything stored for it, at once and for good
  users sign-out EMAIL          sign the user out on all devices
  users reset-mfa EMAIL         remove all second factors and backup codes, and sign the user out
  promote EMAIL                 make a user an admin, who sees all accounts and decides about licences and bans
  demote EMAIL                  revoke admin rights; the last admin cannot be demoted
  ban EMAIL [--days N]          sign a user out and ban them, permanently or for N days
  unban EMAIL                   lift the ban
  licence EMAIL --type TYPE [--days N] [--storage-gb N]
                                grant a licence; without --days it never expires
  licence EMAIL --extend N      extend the current licence by N days

Shares
  share end LINK                end a share; the part of the link behind # is not needed

Licence offers
  licence-key --type TYPE [--days N] [--storage-gb N] [--uses N]
                                print a licence key for sign-up
  magic-link --type TYPE [--days N] [--storage-gb N] [--seats N] [--uses N] [--mail EMAIL]
                                print an invitation link that expires in ${invitationDays} days, and optionally email it

Payments
  billing setup [--dry-run]     with BILLING=stripe: create or update the prices, the customer portal and the
                                webhook endpoint at Stripe, and print what was done; --dry-run changes nothing

Audit log
  audit verify [--head SEQ:HASH]
                                check that no row was changed, removed or inserted; with the head that was
                                printed or exported earlier, also that none is missing at the end
  audit export                  print all rows as NDJSON; the last line is the head

Clock
  confirm-clock                 the server's time is right: delete what has expired, which is not done after the
                                clock was set, or after a machine was off for more than a day
Backups
  backup FOLDER (--to KEY … | --plain) [--no-bytes] [--pg-bin DIR]
                                add a run to FOLDER: database and secrets, sealed for a public key of age
                                (age1…) or in plain, and the objects unless --no-bytes; older runs end
  restore RUN --into DATA_DIR [--identity FILE] [--pg-bin DIR]
                                restore a run into an empty data folder, and with DATABASE_URL into an empty
                                database; FILE has the private key of age
  drill RUN [--identity FILE] [--all] [--database NAME] [--pg-bin DIR]
                                restore a run into a temporary folder, start a server on it, read 100 objects
                                or all, and remove everything; with DATABASE_URL into the empty database NAME

Keys
  rotate-keys                   create a new signing key for access tokens; restart the server afterwards
  service-key [--days N]        print a key for the admin calls of the auth provider at /auth/v1/admin,
                                valid for N days, 30 by default; it is revoked by rotating the
                                keys twice and restarting the server

Each command that changes something adds a row to the audit log.
TYPE is trial, personal, vip, business or nonprofit; --days counts from the day a licence is claimed.
--uses is how many accounts can claim it, 1 by default. --storage-gb is 1 for trial and 50 for the others
by default. --seats is how many seats the organization of a business licence has, 5 by default.
`
