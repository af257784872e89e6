/** Sandboxes, looked at. */
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { localTime, record } from '../terminal/text.ts';
import { browserIsHere, openInBrowser } from './browser.ts';
import { sandboxNamed, sandboxOf, type Sandbox } from './platform.ts';
import { whenReady, type WaitingOptions } from './sandbox-waiting.ts';

export const listSandboxes = async (invocation: Invocation): Promise<void> => {
  const { client } = await atriumOf(invocation);
  const { data } = await client.GET('/api/v1/sandboxes');
  await invocation.terminal.printTable(data, {
    head: ['id', 'name', 'status', 'address', 'ends'],
    rows: data.items.map(({ sandboxId, name, status, apiUrl, expiresAt }) => [
      sandboxId,
      name,
      status,
      apiUrl,
      localTime(expiresAt),
    ]),
    empty: 'You have no sandboxes. Create one: atrium sandbox create --name "My team" --wait',
  });
};

export const getSandbox = async (invocation: Invocation<WaitingOptions>): Promise<void> => {
  const { client } = await atriumOf(invocation);
  const sandbox = await sandboxNamed(client, invocation.words[0]!);
  const shown = invocation.options.wait
    ? await whenReady(client, sandbox.sandboxId, invocation)
    : sandbox;
  invocation.terminal.print(shown, () => described(shown));
};

export const openSandbox = async (
  invocation: Invocation<{ readonly docs?: true }>,
): Promise<void> => {
  const { words, options, env, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { apiUrl } = await sandboxOf(client, words[0]);
  const url = options.docs ? `${apiUrl}/docs` : `${apiUrl}/`;
  if (terminal.interactive && browserIsHere(env) && (await openInBrowser(url)))
    terminal.notice(`Opened ${url}`);
  else terminal.print({ url }, () => url);
};

export const described = (sandbox: Sandbox): string => {
  const { parameters, progress, status } = sandbox;
  return record({
    id: sandbox.sandboxId,
    name: sandbox.name,
    status,
    phase: status === 'provisioning' ? `${progress.phase}, ${progress.percent} %` : null,
    failure: sandbox.failureReason,
    address: sandbox.apiUrl,
    building: sandbox.buildingId,
    made: `${parameters.buildingType}, ${parameters.storeys} storeys, ${parameters.areaSqm} m²`,
    seed: parameters.seed,
    ends: `${localTime(sandbox.expiresAt)}${sandbox.expiresSoon ? ', soon' : ''}`,
    extensions: `${sandbox.extensionsRemaining} left`,
  });
};
