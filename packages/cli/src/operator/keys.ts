import type { Command } from 'commander';
import { onServer } from './on-server.ts';

const json = ['--json', 'print the result as JSON'] as const;

/** `atrium keys mint --organisation …`: a key that never expires, minted on the server. */
export const mintOnServer = onServer('operator/keys/mint-command', 'mintCommand');

/** `atrium audit …`: the audit of API keys, printed from the log and verified against it. */
export const auditCommands = (program: Command): void => {
  const audit = program
    .command('audit')
    .description('replay the history of an API key, and verify that the audit was not changed');

  audit
    .command('replay')
    .description("print a key's history from the event log, oldest first")
    .requiredOption('--key <keyId>', 'the 22 characters after atr_')
    .option(
      '--as-of <time>',
      'up to this time, and the state of the key at that time (default: now)',
    )
    .option('--json', 'one JSON object per line; the last one is the state of the key')
    .addHelpText(
      'after',
      '\nIssuance and revocation of any age, uses of the last 18 months. Nothing is changed.',
    )
    .action(onServer('operator/keys/replay-command', 'replayCommand'));

  audit
    .command('verify')
    .description('compare the audit with the log and its hash chains; exit code 1 if it differs')
    .option('--against <file>', 'a checkpoint stored elsewhere, to find changes made since then')
    .option('--public-key <file>', 'with --against: the key that must have signed it')
    .option(...json)
    .addHelpText(
      'after',
      '\nEvery record is held against its hash chain, and what was changed, removed or inserted\n' +
        'is named. The audit is built anew beside, and every record compared; and the log is\n' +
        'searched for uses that were allowed after their key was revoked. Nothing is left\n' +
        'behind; the server may run meanwhile.',
    )
    .action(onServer('operator/keys/verify-command', 'verifyCommand'));

  audit
    .command('checkpoint')
    .description('print the signed hashes of all chains; store them outside this installation')
    .option('--to <file>', 'a new file; - is standard output', '-')
    .option('--key <file>', 'the key to sign with; default: audit.key in the data directory')
    .option('--every <records>', 'records of each journal per hash; default: 1000')
    .addHelpText(
      'after',
      '\nLater, atrium audit verify --against FILE finds what was changed since. Nothing is\n' +
        'changed by it; the server may run meanwhile.',
    )
    .action(onServer('operator/audit-chain/checkpoint-command', 'checkpointCommand'));

  audit
    .command('key')
    .description('create the Ed25519 key that signs checkpoints, once, and print its public half')
    .option('--key <file>', 'path of the key; default: audit.key in the data directory')
    .action(onServer('operator/audit-chain/key-command', 'auditKeyCommand'));
};
