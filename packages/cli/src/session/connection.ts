/** Which server a command asks, and as whom. contract.md section 10. */
import { signInNeeded } from '../failures.ts';
import type { CallOptions, Invocation } from '../invocation.ts';
import { profilesOf } from './profiles.ts';
import { serverAddress, serverOnThisMachine } from './server-address.ts';
import { accessTokenOf, sessionIn, signInTo } from './tokens.ts';

export interface Connection {
  readonly server: string;
  /** Where the credential comes from, in words for people. */
  readonly source: string;
  readonly profile: string;
  /** Called for each request: a stored token may have to be refreshed. */
  readonly token: () => Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `--url`, then `ATRIUM_URL`. @throws {@link CommandFailed} for an address that is none. */
export const serverNamedBy = ({ url }: CallOptions, { ATRIUM_URL }: Environment): string | null => {
  const written = url ?? (ATRIUM_URL || null);
  return written === null ? null : serverAddress(written);
};

export const profileNamedBy = async ({ options, env }: Invocation): Promise<string> =>
  options.profile ?? (env['ATRIUM_PROFILE'] || (await profilesOf(env).chosen()));

/**
 * `--token`, then `ATRIUM_TOKEN`, then the stored session. A session's token goes to the server
 * that it is of, and to no other.
 *
 * @throws {@link CommandFailed} with the exit code of a sign-in that is needed; for an address that
 *   is none.
 */
export const connectionOf = async (invocation: Invocation): Promise<Connection> => {
  const { options, env } = invocation;
  const named = serverNamedBy(options, env);
  const profile = await profileNamedBy(invocation);
  const profiles = profilesOf(env);
  const given = options.token ?? (env['ATRIUM_TOKEN'] || null);
  if (given !== null) {
    const source = sourceOf(options);
    if (!/^[\x21-\x7e]+$/.test(given))
      throw signInNeeded(`${source} is no token: it has characters that no token has`);
    warnOfProfile(invocation);
    const stored = named === null ? await profiles.read(profile) : null;
    return {
      server: named ?? stored?.server ?? serverOnThisMachine(env),
      source,
      profile,
      token: async () => given,
    };
  }
  const { server } = await sessionIn(profiles, profile);
  if (named !== null && originOf(named) !== originOf(server))
    throw signInNeeded(
      `profile ${profile} is signed in to ${server}, not to ${named}; run ${signInTo(profile)}`,
    );
  return {
    server,
    source: `profile ${profile}`,
    profile,
    token: () => accessTokenOf(profiles, profile),
  };
};

const sourceOf = ({ token }: CallOptions): string =>
  token === undefined ? 'ATRIUM_TOKEN' : '--token';

/** A profile that was named beside a credential does nothing but choose the server. */
const warnOfProfile = ({ options, terminal }: Invocation): void => {
  const { profile, token } = options;
  if (profile === undefined) return;
  const winner = sourceOf(options);
  const rest = token === undefined ? `; unset it to act as profile ${profile}` : '';
  terminal.notice(`atrium: ${winner} is used, not the session of profile ${profile}${rest}`);
};

/** What helps where the server does not accept the credential. */
export const remedyFor = async (invocation: Invocation): Promise<string> => {
  const { options, env } = invocation;
  if (options.token !== undefined) return 'that is the credential of --token';
  if (env['ATRIUM_TOKEN']) return 'that is the credential in ATRIUM_TOKEN';
  return `sign in again with ${signInTo(await profileNamedBy(invocation))}`;
};

const originOf = (address: string): string => URL.parse(address)?.origin ?? address;
