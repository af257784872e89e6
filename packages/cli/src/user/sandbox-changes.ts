/** Sandboxes, changed. */
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { localTime } from '../terminal/text.ts';
import { sandboxNamed } from './platform.ts';
import { whenReady, type WaitingOptions } from './sandbox-waiting.ts';
import { described } from './sandboxes.ts';

export const extendSandbox = async (
  invocation: Invocation<{ readonly days: number }>,
): Promise<void> => {
  const { client } = await atriumOf(invocation);
  const { sandboxId } = await sandboxNamed(client, invocation.words[0]!);
  const { data } = await client.POST('/api/v1/sandboxes/{id}/extend', {
    params: { path: { id: sandboxId } },
    body: { days: invocation.options.days },
  });
  const { name, expiresAt, extensionsRemaining: left } = data;
  invocation.terminal.print(
    data,
    () => `${name} expires ${localTime(expiresAt)}; ${left} extensions left.`,
  );
};

interface Sure {
  readonly yes?: true;
}

export const resetSandbox = async (
  invocation: Invocation<Sure & WaitingOptions>,
): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { sandboxId, name } = await sandboxNamed(client, invocation.words[0]!);
  if (!options.yes) await terminal.confirm(`Wipe ${name} (${sandboxId}) and seed it again?`);
  const { data: begun } = await client.POST('/api/v1/sandboxes/{id}/reset', {
    params: { path: { id: sandboxId } },
  });
  const shown = options.wait ? await whenReady(client, sandboxId, invocation) : begun;
  terminal.print(shown, () => described(shown));
};

export const deleteSandbox = async (invocation: Invocation<Sure>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { sandboxId, name } = await sandboxNamed(client, invocation.words[0]!);
  if (!options.yes) await terminal.confirm(`Delete ${name} (${sandboxId}) and all its data?`);
  await client.DELETE('/api/v1/sandboxes/{id}', { params: { path: { id: sandboxId } } });
  terminal.print({ sandboxId, deleted: true }, () => `Deleted ${name} (${sandboxId}).`);
};
