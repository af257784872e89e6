/** The platform that a command is about: the server's own, or a sandbox of it. */
import type { Atrium } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumAt, atriumOf } from '../session/client.ts';
import { sandboxNamed } from './sandboxes.ts';

export interface SandboxOption {
  readonly sandbox?: string;
}

export interface Platform {
  readonly client: Atrium;
  readonly url: string;
  readonly token: () => Promise<string>;
}

/** A sandbox takes the credentials of who may drive it: they are told by the server itself. */
export const platformOf = async (invocation: Invocation<SandboxOption>): Promise<Platform> => {
  const { client, connection } = await atriumOf(invocation);
  const { server, token } = connection;
  const { sandbox: named } = invocation.options;
  if (named === undefined) return { client, url: server, token };
  const { apiUrl: url } = await sandboxNamed(client, named);
  return { client: atriumAt(url, token), url, token };
};

/**
 * The building that is meant where none was named.
 *
 * @throws {@link CommandFailed} unless there is exactly one.
 */
export const buildingOf = async (client: Atrium, named: string | undefined): Promise<string> => {
  if (named !== undefined) return named;
  const { data } = await client.GET('/api/v1/buildings', { params: { query: { limit: 2 } } });
  const [only, ...others] = data!.items;
  if (only && others.length === 0) return only.id;
  throw new CommandFailed(only ? 'there are several buildings; name one' : 'there is no building');
};
