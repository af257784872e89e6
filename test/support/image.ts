/** The Dockerfile, as tests read it. */
import { text } from './sources.ts';

/** Its lines, in order, each an instruction. */
const lines = (): readonly string[] =>
  text('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

/** What follows each use of an instruction. */
export const instructions = (name: string): readonly string[] =>
  lines().flatMap((line) =>
    line.startsWith(`${name} `) ? [line.slice(name.length + 1).trim()] : [],
  );

/** The environment that the image sets, where it is built without arguments. */
export const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    instructions('ENV')
      .flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=')))
      .map(([name, value = '']) => [name, value.startsWith('$') ? '' : value]),
  ) as Record<string, string>;
