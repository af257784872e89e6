/** docs/reference/logs.md lists exactly the fields that a line of the log may have. */
import { expect, it } from 'vitest';
import { argumentsOf, logCalls } from './support/logged.ts';
import { text } from './support/sources.ts';

/** The fields of pino, Fastify and tracing. */
const everywhere = 'level time pid hostname msg requestId trace_id span_id';

/** The line of each request, which is written without a call of the logger. */
const requestLine = 'method route status ms ip by organisation';

/** Fields that are not written where the line is logged, by the name that they have there. */
const gathered: Readonly<Record<string, string>> = {
  attributes: 'by selection format',
  bindings: 'requestId',
  about: 'err sandboxId phase attempt',
};

const words = (list: string) => list.split(' ');

/** The members of an object literal; a spread by the name of its operand. */
const membersOf = (object: string): readonly string[] =>
  argumentsOf(`${object.slice(1, -1)})`).map((member) => /^(?:\.\.\.)?[\w$]+/.exec(member)![0]);

const fieldsOf = (argument: string, where: string): readonly string[] => {
  // A message alone.
  if (/^['"`]/.test(argument)) return [];
  const parts = argument.startsWith('{') ? membersOf(argument) : [`...${argument}`];
  return parts.flatMap((part) => {
    if (!part.startsWith('...')) return [part];
    const fields = gathered[part.slice(3)];
    if (fields === undefined) throw new Error(`${where} logs ${part}: say what is in it`);
    return words(fields);
  });
};

const logged = new Set([
  ...words(everywhere),
  ...words(requestLine),
  ...logCalls().flatMap((call) => fieldsOf(call.arguments[0]!, call.path)),
]);

const page = text('docs/reference/logs.md');
const documented = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field!));

it('documents every field that is logged', () =>
  expect([...logged].filter((field) => !documented.has(field))).toEqual([]));

it('documents no field that is not', () =>
  expect([...documented].filter((field) => !logged.has(field))).toEqual([]));
