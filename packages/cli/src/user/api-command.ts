import { Argument, InvalidArgumentError, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `atrium api`: any request of the API, with the credential and the retries of the others. */
export const apiCommand = (program: Command): void => {
  acting(program.command('api'))
    .addArgument(new Argument('<method>', 'in any case').choices(METHODS).argParser(methodIn))
    .argument('<path>', 'with or without /api/v1, with or without a query')
    .description('send any request to the API')
    .option('-f, --field <key=value>', 'a text in the JSON body, or in the query of GET', collected)
    .option('-F, --json-field <key=json>', 'a JSON value: a number, true, null, […]', collected)
    .option(
      '--input <file>',
      'file with the whole body, - for standard input; fields go to the query',
    )
    .option('-H, --header <name:value>', 'one more header', collected)
    .option('--paginate', 'print all pages of a list, one item per line as JSON')
    .option('--slurp', 'with --paginate: print one array')
    .option('--jq <expression>', 'print the result of this jq expression; texts without quotes')
    .option('--include', 'print the status and the headers first')
    .addHelpText(
      'after',
      `
/service-desk/… is /api/service-desk/…; every other path that does not begin with /api/ is below
/api/v1. What changes something is sent with an Idempotency-Key, and again under it. A refusal is
told on standard error; with --json its problem (RFC 9457) is printed on standard output too.

Examples:
  $ atrium api GET me --jq .actor.name
  $ atrium api GET service-desk/requests -f state=new --paginate --jq .number
  $ atrium api POST service-desk/requests --sandbox "Checkout team" \\
      -f buildingId=… -f description="Too warm" -F metadata='{"floor": 2}'
  $ atrium api PUT /api/service-desk/configuration --input desk.json -H 'If-Match: "3"'`,
    )
    .action(runs(async () => (await import('./api.ts')).callApi));
};

const methodIn = (word: string): string => {
  const method = word.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw new InvalidArgumentError(`Allowed choices are ${METHODS.join(', ')}.`);
};

const collected = (one: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  one,
];
