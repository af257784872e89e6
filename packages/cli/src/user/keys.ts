/** `atrium keys list|mint|revoke`. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { localTime } from '../terminal/text.ts';
import { given, underKey } from './given.ts';

type Schemas = components['schemas'];

export const listKeys = async (invocation: Invocation): Promise<void> => {
  const { client } = await atriumOf(invocation);
  const { data } = await client.GET('/api/v1/keys');
  await invocation.terminal.printTable(data, {
    head: ['id', 'label', 'scope', 'status', 'expires', 'last used'],
    rows: data.items.map(({ keyId, label, scope, status, expiresAt, lastUsedAt }) => [
      keyId,
      label,
      scope,
      status,
      expiresAt === null ? 'never' : localTime(expiresAt),
      lastUsedAt === null ? 'never' : localTime(lastUsedAt),
    ]),
    empty: 'There are no keys.',
  });
};

interface MintOptions {
  readonly label: string;
  readonly scope: NonNullable<Schemas['NewKey']['scope']>;
  readonly expiresInDays?: number;
  readonly idempotencyKey?: string;
}

/** Prints the token alone, so that a script can keep it; with `--json`, the whole record. */
export const mintKey = async (invocation: Invocation<MintOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { label, scope, expiresInDays, idempotencyKey } = options;
  const minted = await keyMinted(
    client,
    { label, scope, ...given({ expiresInDays }) },
    idempotencyKey,
  );
  const { keyId, expiresAt, token } = minted;
  if (options.json) {
    process.stdout.write(`${JSON.stringify(minted)}\n`);
    return;
  }
  const until = expiresAt === null ? 'never expires' : `expires ${localTime(expiresAt)}`;
  terminal.notice(`Key ${keyId}, scope ${minted.scope}, ${until}; the token is printed only once:`);
  process.stdout.write(`${token}\n`);
};

/**
 * @throws AtriumError `SCOPE_DENIED`, `PERMISSION_DENIED`, `KEY_LIMIT_REACHED`;
 *   {@link CommandFailed} where the answer with the token was an earlier one, perhaps a lost one.
 */
export const keyMinted = async (
  client: Atrium,
  body: Schemas['NewKey'],
  idempotencyKey?: string,
): Promise<Schemas['MintedKey'] & { readonly token: string }> => {
  const { data } = await client.POST('/api/v1/keys', {
    body,
    ...underKey(idempotencyKey),
  });
  const { keyId, token } = data;
  if (token === undefined)
    throw new CommandFailed(
      `key ${keyId} is minted, but only the first answer had its token; if that was lost, ` +
        `revoke the key with atrium keys revoke ${keyId}, and mint another`,
    );
  return { ...data, token };
};

export const revokeKey = async (invocation: Invocation<{ readonly yes?: true }>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const keyId = words[0]!;
  if (!options.yes) await terminal.confirm(`Revoke ${keyId}? This cannot be undone.`);
  // Before: a key that revokes itself cannot ask afterwards.
  const { data } = await client.GET('/api/v1/keys');
  await client.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId } } });
  const isExpired = data.items.find((key) => key.keyId === keyId)?.status === 'expired';
  const status = isExpired ? 'expired' : 'revoked';
  const line = isExpired ? `${keyId} has expired already; it stays expired.` : `Revoked ${keyId}.`;
  terminal.print({ keyId, status }, () => line);
};
