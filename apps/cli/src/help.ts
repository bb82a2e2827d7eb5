export const help = `Pass files to people safely: sealed before they leave, gone on time.

Usage
  sallyport get <share link> [-o <path>]

  get           Fetch the file behind a share link, open it and save it.
                Put the link in quotes: the part after # is the key, and it never leaves this machine.

Options
  -o, --output  A file to make, or a folder to put it in. Default: the file's own name, made safe, in this folder.
                Nothing that is there already is written over.
  -h, --help    This text.

Exit codes
  0    the file is saved, whole and verified
  1    it could not be fetched, opened or saved; nothing is left behind
  2    the command line is wrong
  130  stopped by Ctrl+C; nothing is left behind
`
