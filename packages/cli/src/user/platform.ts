/** The platform that a command is about: the server's own, or a sandbox of it. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumAt, atriumOf } from '../session/client.ts';
import { collected } from './list.ts';
import { isId, oneNamed, type Kind } from './named.ts';

export type Sandbox = components['schemas']['Sandbox'];
type Building = components['schemas']['Building'];

export interface SandboxOption {
  readonly sandbox?: string;
}

export interface BuildingOption extends SandboxOption {
  readonly building?: string;
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
 * @throws {@link CommandFailed} as {@link sandboxNamed} does, and without a credential.
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

const SANDBOXES: Kind<Sandbox> = {
  one: 'sandbox',
  many: 'sandboxes',
  list: 'atrium sandbox list',
  names: ({ slug, name }) => [slug, name],
  label: ({ slug, sandboxId }) => `${slug} (${sandboxId})`,
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
  return oneNamed(word, data.items, SANDBOXES);
};

/**
 * The caller's sandbox of this id, slug or name; where none was named, the only one.
 *
 * @throws {@link CommandFailed} if there is none, or more than one.
 */
export const sandboxOf = async (client: Atrium, named: string | undefined): Promise<Sandbox> => {
  if (named !== undefined) return sandboxNamed(client, named);
  const { data } = await client.GET('/api/v1/sandboxes');
  const [only, ...others] = data.items;
  if (only && others.length === 0) return only;
  const slugs = data.items.map(({ slug }) => slug).join(', ');
  throw new CommandFailed(
    only ? `you have several sandboxes; name one: ${slugs}` : 'you have no sandbox',
  );
};

const BUILDINGS: Kind<Building> = {
  one: 'building',
  many: 'buildings',
  list: 'atrium buildings list',
  names: ({ code, name, externalId }) => [code, name, externalId],
  label: ({ code, id }) => `${code} (${id})`,
};

/**
 * The id of the building of this id, code, name or externalId; where none was named, of the only
 * one.
 *
 * @throws {@link CommandFailed} if there is none, or more than one.
 */
export const buildingOf = async (client: Atrium, named: string | undefined): Promise<string> => {
  if (named !== undefined && isId(named)) return named;
  if (named !== undefined) {
    const buildings = client.items('/api/v1/buildings', { params: { query: { limit: 1_000 } } });
    return oneNamed(named, await collected(buildings), BUILDINGS).id;
  }
  const { data } = await client.GET('/api/v1/buildings', { params: { query: { limit: 2 } } });
  const [only, ...others] = data.items;
  if (only && others.length === 0) return only.id;
  throw new CommandFailed(
    only ? 'there are several buildings; name one with --building' : 'there is no building',
  );
};
