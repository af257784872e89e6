import type { Command } from 'commander';
import { onServer } from './on-server.ts';

const json = ['--json', 'print the result as JSON'] as const;

/** `atrium keys mint`: what an operator does with API keys on the server. */
export const mintCommand = (keys: Command): void => {
  keys
    .command('mint')
    .description('operators, on the server: mint a key that never expires; prints its token once')
    .requiredOption('--organisation <alias>', 'the organisation that the key acts for')
    .requiredOption('--label <text>', 'what the key is for; shown in lists and in the audit')
    .option('--scope <scope>', 'sandbox, publish or full', 'sandbox')
    .option('--without-scope', 'development only: record it as before there were scopes')
    .option(...json)
    .addHelpText(
      'after',
      '\nIt counts among the five active keys of the organisation, and works at once, beside a\n' +
        'running server too. Only the token goes to standard output; it cannot be shown again.\n' +
        'A key without a scope opens what a full one does.',
    )
    .action(onServer('operator/keys/mint-command', 'mintCommand'));
};

/** `atrium audit …`: the audit of API keys, told from the log and held against it. */
export const auditCommands = (program: Command): void => {
  const audit = program
    .command('audit')
    .description('replay the history of an API key, and verify the audit against the log');

  audit
    .command('replay')
    .description("tell a key's history from the event log itself, oldest first")
    .requiredOption('--key <keyId>', 'the 22 characters after atr_')
    .option('--as-of <time>', 'up to this time, and the key as it stood then (default: now)')
    .option('--json', 'one JSON object a line; the last one is the key as it stood')
    .addHelpText(
      'after',
      '\nIssuance and revocation of any age, uses of the last 18 months. Nothing is changed.',
    )
    .action(onServer('operator/keys/replay-command', 'replayCommand'));

  audit
    .command('verify')
    .description('hold what the audit shows against the log; exit code 1 if it differs')
    .option(...json)
    .addHelpText(
      'after',
      '\nThe audit is built anew beside, and every record compared; and the log is searched for\n' +
        'uses that were allowed after their key was revoked. Nothing is left behind; the server\n' +
        'may run meanwhile.',
    )
    .action(onServer('operator/keys/verify-command', 'verifyCommand'));
};
