import { Argument, InvalidArgumentError, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `atrium api`: any request of the API, with the credential and the retries of the others. */
export const apiCommand = (program: Command): void => {
  acting(program.command('api'))
    .addArgument(new Argument('<method>', 'in any case').choices(METHODS).argParser(methodIn))
    .argument('<path>', 'with or without /api/v1, with or without a query')
    .description('make any request of the API')
    .option('-f, --field <key=value>', 'a text in the JSON body; of GET, in the query', collected)
    .option('-F, --json-field <key=json>', 'a value of JSON: a number, true, null, […]', collected)
    .option('--input <file>', 'the whole body; - reads it; fields go to the query')
    .option('-H, --header <name:value>', 'one more header', collected)
    .option('--paginate', 'of a list, every item of every page, one as JSON on each line')
    .option('--slurp', 'with --paginate: as one array')
    .option('--jq <expression>', 'print what this expression of jq selects; texts without quotes')
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
  $ atrium api POST service-desk/requests --sandbox checkout-team \\
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
