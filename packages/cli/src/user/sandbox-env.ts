/** `atrium sandbox env`. */
import type { Atrium } from '../../../sdk/src/index.ts';
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { keyMinted } from './keys.ts';
import { sandboxOf, type Sandbox } from './platform.ts';

const DAY_MS = 86_400_000;

/** Lines for a file `.env`, in a pipe too; JSON where it is asked for. */
export const printEnvironment = async (
  invocation: Invocation<{ readonly key?: true }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client, connection } = await atriumOf(invocation);
  const sandbox = await sandboxOf(client, words[0]);
  const key = options.key
    ? await keyMinted(client, keyOf(sandbox, await serverTime(client)))
    : null;
  const variables = {
    ATRIUM_URL: connection.server,
    ATRIUM_SANDBOX_URL: sandbox.apiUrl,
    ...(key && { ATRIUM_TOKEN: key.token }),
  };
  if (key) terminal.notice(`Minted key ${key.keyId}; its token is printed only once.`);
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  process.stdout.write(`${options.json ? JSON.stringify(variables) : lines.join('\n')}\n`);
};

/** The server counts the days of a key, and this machine's clock may be wrong. */
const serverTime = async (client: Atrium): Promise<number> => {
  const { response } = await client.GET('/api/v1/sandboxes');
  const at = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(at) ? Date.now() : at;
};

const keyOf = ({ slug, expiresAt }: Sandbox, now: number) => ({
  label: `sandbox ${slug}`,
  scope: 'sandbox' as const,
  expiresInDays: Math.max(1, Math.ceil((Date.parse(expiresAt) - now) / DAY_MS)),
});
