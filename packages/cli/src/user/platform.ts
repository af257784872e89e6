/** The platform that a command is about: the server's own, or a sandbox of it. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumAt, atriumOf } from '../session/client.ts';

export type Sandbox = components['schemas']['Sandbox'];

export interface SandboxOption {
  readonly sandbox?: string;
}

export interface Platform {
  readonly client: Atrium;
  readonly url: string;
  readonly token: () => Promise<string>;
  /** The sandbox that it is; `null`: the server itself. */
  readonly sandbox: Sandbox | null;
}

/**
 * The platform named by `--sandbox`, which takes the caller's own credential; without it, the
 * server itself.
 *
 * @throws {@link CommandFailed} as {@link sandboxNamed} does; where nobody is signed in.
 */
export const platformOf = async (invocation: Invocation<SandboxOption>): Promise<Platform> => {
  const { client, connection } = await atriumOf(invocation);
  const { server, token } = connection;
  const { sandbox: named } = invocation.options;
  if (named === undefined) return { client, url: server, token, sandbox: null };
  const sandbox = await sandboxNamed(client, named);
  const { apiUrl: url } = sandbox;
  return { client: atriumAt(url, token), url, token, sandbox };
};

/**
 * The caller's sandbox of this id, slug or name.
 *
 * @param client Of the server itself.
 * @throws {@link CommandFailed} if there is none, or if several have this name: they are listed.
 */
export const sandboxNamed = async (client: Atrium, word: string): Promise<Sandbox> => {
  if (/^sbx_\w{16}$/.test(word)) {
    const params = { path: { id: word } };
    const { data } = await client.GET('/api/v1/sandboxes/{id}', { params });
    return data;
  }
  const { data } = await client.GET('/api/v1/sandboxes');
  const named = data.items.filter(({ slug, name }) => slug === word || name === word);
  const [found, ...others] = named;
  if (found && others.length === 0) return found;
  if (!found)
    throw new CommandFailed(
      `you have no sandbox ${word}; atrium sandbox list shows those you have`,
    );
  const listed = named.map(({ slug, sandboxId }) => `${slug} (${sandboxId})`).join(', ');
  throw new CommandFailed(`${named.length} sandboxes are called ${word}: ${listed}`);
};

/**
 * The building that is meant where none was named.
 *
 * @throws {@link CommandFailed} unless there is exactly one.
 */
export const buildingOf = async (client: Atrium, named: string | undefined): Promise<string> => {
  if (named !== undefined) return named;
  const { data } = await client.GET('/api/v1/buildings', { params: { query: { limit: 2 } } });
  const [only, ...others] = data.items;
  if (only && others.length === 0) return only.id;
  throw new CommandFailed(only ? 'there are several buildings; name one' : 'there is no building');
};
