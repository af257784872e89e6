import type { Command } from 'commander';
import { calling, runs } from '../invocation.ts';

/** Signing in and out, and as whom a command would act. */
export const sessionCommands = (program: Command): void => {
  program
    .command('login')
    .description('sign in with a code in a browser, on this machine or another')
    .option('--url <address>', 'the server; default: ATRIUM_URL, then http://localhost:4000')
    .option('--profile <name>', 'store the session under this name')
    .option('--no-browser', 'open no browser: show the address, the code and a QR code')
    .option('--json', 'print who has signed in as JSON')
    .addHelpText(
      'after',
      `
The session is kept in the configuration directory of your account (0600), and lasts until it was
not used for 30 days. Where nobody sits at the machine, use an API key in ATRIUM_TOKEN.

Examples:
  $ atrium login
  $ atrium login --url https://atrium.example --profile production
  $ atrium login --no-browser`,
    )
    .action(runs(async () => (await import('./login.ts')).login));

  program
    .command('logout')
    .description('end the session at the issuer, and delete it here')
    .option('--profile <name>', 'the session of this name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ atrium logout\n  $ atrium logout --profile production')
    .action(runs(async () => (await import('./logout.ts')).logout));

  calling(program.command('whoami'))
    .description('show your identity, your permissions and the source of the credential')
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium whoami\n  $ ATRIUM_TOKEN=atr_… atrium whoami --json',
    )
    .action(runs(async () => (await import('./whoami.ts')).whoami));

  const profiles = program
    .command('profiles')
    .description('the stored sessions, and the active one');
  profiles
    .command('list', { isDefault: true })
    .description('list them')
    .option('--json', 'print JSON, as in a pipe')
    .action(runs(async () => (await import('./profiles.ts')).listProfiles));
  profiles
    .command('use <name>')
    .description('use this one unless --profile or ATRIUM_PROFILE names another')
    .option('--json', 'print JSON, as in a pipe')
    .addHelpText('after', '\nExamples:\n  $ atrium profiles use production')
    .action(runs(async () => (await import('./profiles.ts')).useProfile));
};
