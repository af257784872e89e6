/** Names that a shell may complete and the words of the program do not have. */
import { atriumOf } from '../session/client.ts';
import { profilesOf } from '../session/profiles.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { TICKET_STATES } from '../mcp/ticket-states.ts';

/** Somebody has pressed a key and waits. */
const ANSWER_MAX_MS = 2_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** What the words before have said of the server. */
interface Said {
  readonly env: Environment;
  readonly words: readonly string[];
}

/**
 * @param placeholder Of the option or the argument, as the help has it: `sandbox`.
 * @returns None where they cannot be had, because a shell has nowhere to show why.
 */
export const namesFor = async (placeholder: string, said: Said): Promise<readonly string[]> => {
  const names = sources[placeholder];
  return names === undefined ? [] : names(said).catch(() => []);
};

const profiles = ({ env }: Said): Promise<readonly string[]> => profilesOf(env).names();

const sandboxes = async ({ env, words }: Said): Promise<readonly string[]> => {
  const options = Object.fromEntries(
    ['profile', 'url', 'token'].flatMap((name) => {
      const at = words.lastIndexOf(`--${name}`);
      return at === -1 || words[at + 1] === undefined ? [] : [[name, words[at + 1]]];
    }),
  );
  const terminal = { ...terminalOf({ json: true }), notice: () => {} };
  const { client } = await atriumOf({ words, options, env, terminal });
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  const { data } = await client.GET('/api/v1/sandboxes', { signal });
  return data.items.map(({ slug }) => slug);
};

const states = async (): Promise<readonly string[]> => TICKET_STATES;

const sources: Readonly<Record<string, (said: Said) => Promise<readonly string[]>>> = {
  sandbox: sandboxes,
  name: profiles,
  state: states,
  states,
};
