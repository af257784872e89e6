import type { Command } from 'commander';
import { usageError } from '../failures.ts';
import { calling, runs } from '../invocation.ts';
import { mintOnServer } from '../operator/keys.ts';
import { count } from './numbers.ts';
import { confirming, repeatable } from './options.ts';

/** `atrium keys …`. */
export const keysCommands = (program: Command): void => {
  const keys = program.command('keys').description("the organisation's API keys");

  calling(keys.command('list'))
    .description('list them; needs a session or a key of scope full')
    .action(runs(async () => (await import('./keys.ts')).listKeys));

  mintCommand(keys);

  confirming(calling(keys.command('revoke')))
    .argument('<keyId>', 'the 22 characters after atr_')
    .description('revoke a key; it is refused from its next request on')
    .addHelpText('after', '\nExamples:\n  $ atrium keys revoke 2b8Jk3PqLm5TzXv0aW1cDe --yes')
    .action(runs(async () => (await import('./keys.ts')).revokeKey));
};

/** Of who is signed in; with `--organisation`, of the operator on the server. */
const mintCommand = (keys: Command): void => {
  const mint = runs(async () => (await import('./keys.ts')).mintKey);
  repeatable(calling(keys.command('mint')))
    .description('mint a key; its token is printed once, alone on standard output')
    .requiredOption('--label <text>', 'what the key is for; shown in lists and in the audit')
    .option('--scope <scope>', 'what the key allows: sandbox, publish or full', 'sandbox')
    .option('--expires-in-days <days>', '1 to 365 (90)', count)
    .option('--organisation <alias>', 'operators, on the server: of this one, never expiring')
    .option('--without-scope', 'with --organisation, development only: as before there were scopes')
    .addHelpText(
      'after',
      `
Needs a session: keys mint no keys. An organisation has at most five active ones. With --json, the
whole record is printed.

With --organisation an operator mints on the server, where nobody needs to be signed in: the key
never expires, works at once, beside a running server too, and counts among the five. A key without
a scope opens what a full one does.

Examples:
  $ export ATRIUM_TOKEN=$(atrium keys mint --label ci --expires-in-days 30)
  $ atrium keys mint --organisation acme --label ops --scope full`,
    )
    .action(async (...given: readonly unknown[]) => {
      const options = (given.at(-1) as Command).opts<Readonly<Record<string, unknown>>>();
      const isOperator = options['organisation'] !== undefined;
      const [stray] = (isOperator ? OF_USERS : OF_OPERATORS).filter(([name]) => name in options);
      if (stray !== undefined)
        throw usageError(`${isOperator ? 'not' : 'only'} with --organisation: ${stray[1]}`);
      await (isOperator ? mintOnServer : mint)(...given);
    });
};

/** Options of one way to mint that mean nothing in the other. */
const OF_USERS = [
  ['expiresInDays', '--expires-in-days'],
  ['idempotencyKey', '--idempotency-key'],
  ['token', '--token'],
  ['profile', '--profile'],
  ['url', '--url'],
] as const;
const OF_OPERATORS = [['withoutScope', '--without-scope']] as const;
