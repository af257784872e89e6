/** `atrium keys list|revoke`. */
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { localTime } from '../terminal/text.ts';

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

export const revokeKey = async (invocation: Invocation<{ readonly yes?: true }>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const keyId = words[0]!;
  if (!options.yes) await terminal.confirm(`Revoke ${keyId}? Nothing brings it back.`);
  await client.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId } } });
  terminal.print({ keyId, status: 'revoked' }, () => `Revoked ${keyId}.`);
};
