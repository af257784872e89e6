/** The Dockerfile, parsed. */
import { text } from './sources.ts';

/** Its lines, in order, each an instruction. */
const lines = (): readonly string[] =>
  text('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

/** The arguments of each use of an instruction. */
export const instructions = (name: string): readonly string[] =>
  lines().flatMap((line) =>
    line.startsWith(`${name} `) ? [line.slice(name.length + 1).trim()] : [],
  );

/** The environment of the image if it is built without arguments. */
export const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    instructions('ENV')
      .flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=')))
      .map(([name, value = '']) => [name, value.startsWith('$') ? '' : value]),
  ) as Record<string, string>;
