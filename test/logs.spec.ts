/** docs/reference/logs.md tells of every field that a line of the log may have, and of no other. */
import { expect, it } from 'vitest';
import { code, filesOf, text } from './support/sources.ts';

/** What pino and Fastify write by themselves, and what tracing adds. */
const everywhere = 'level time pid hostname msg requestId trace_id span_id';

/** Fields that are not written where the line is logged, by the name that they have there. */
const gathered: Readonly<Record<string, string>> = {
  line: 'method route status ms ip by organisation',
  its: 'by selection format',
  about: 'err sandboxId phase attempt',
};

const words = (list: string) => list.split(' ');

/** What follows `(` up to the end of its first argument. */
const firstArgument = (source: string): string => {
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    if ('([{'.includes(source[at]!)) depth += 1;
    if (')]}'.includes(source[at]!)) depth -= 1;
    if (depth < 0 || (depth === 0 && source[at] === ',')) return source.slice(0, at).trim();
  }
  throw new Error('a call without an end');
};

/** The members of an object as it is written, spread ones by the name of what is spread. */
const membersOf = (object: string): readonly string[] => {
  const members: string[] = [];
  let rest = object.slice(1, -1).trim();
  while (rest !== '') {
    const member = firstArgument(`${rest})`);
    members.push(/^(?:\.\.\.)?[\w$]+/.exec(member)![0]);
    rest = rest.slice(member.length).replace(/^[\s,]+/, '');
  }
  return members;
};

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

const calls =
  /\b(?:log(?:ger)?|report)\??(?:\.(?:debug|info|warn|error|fatal|child)|\[[^\]]+\])\(\s*/g;

const logged = new Set([
  ...words(everywhere),
  ...filesOf('src/**/*.ts').flatMap((path) => {
    const source = code(text(path));
    return [...source.matchAll(calls)].flatMap((call) =>
      fieldsOf(firstArgument(source.slice(call.index + call[0].length)), path),
    );
  }),
]);

const page = text('docs/reference/logs.md');
const documented = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field!));

it('documents every field that is logged', () =>
  expect([...logged].filter((field) => !documented.has(field))).toEqual([]));

it('documents no field that is not', () =>
  expect([...documented].filter((field) => !logged.has(field))).toEqual([]));
