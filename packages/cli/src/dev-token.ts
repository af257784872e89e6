import { CommandFailed } from './failures.ts';
import { serverAddress, serverOnThisMachine } from './session/server-address.ts';

const TIMEOUT_MS = 10_000;

export interface DevToken {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly token_type: string;
}

/**
 * An access token of a demo user, from a running server's development issuer.
 *
 * @throws {@link CommandFailed} if there is no server, no development issuer, or no such user.
 */
export const devToken = async (server: string, email: string): Promise<DevToken> => {
  const url = new URL('/dev/oidc/dev-token', server);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CommandFailed(`no server answers at ${server}; start one with npm start`, cause);
  });
  const body = (await response.json().catch(() => ({}))) as DevToken & { detail?: string };
  if (response.ok) return body;
  throw new CommandFailed(
    body.detail ?? `${server} has no development issuer (HTTP ${response.status})`,
  );
};

/** `ATRIUM_URL`; without it the server that this environment would start, on this machine. */
const serverUrl = (env: NodeJS.ProcessEnv): string =>
  env['ATRIUM_URL'] ? serverAddress(env['ATRIUM_URL']) : serverOnThisMachine(env);

export const printDevToken = async (email: string, options: { json?: true }): Promise<void> => {
  const answer = await devToken(serverUrl(process.env), email);
  process.stdout.write(`${options.json ? JSON.stringify(answer) : answer.access_token}\n`);
};
