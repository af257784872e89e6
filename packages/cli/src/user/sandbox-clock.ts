/** `atrium sandbox clock`. */
import type { Invocation } from '../invocation.ts';
import { atriumAt, atriumOf } from '../session/client.ts';
import { sandboxOf, type SandboxOption } from './platform.ts';

const clockOf = async (invocation: Invocation<SandboxOption>) => {
  const { client: server, connection } = await atriumOf(invocation);
  const { apiUrl, name } = await sandboxOf(server, invocation.options.sandbox);
  return { client: atriumAt(apiUrl, connection.token), name };
};

export const tellTime = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client, name } = await clockOf(invocation);
  const { data } = await client.GET('/api/v1/clock');
  const { now, target } = data;
  const goingOn = target === undefined ? '' : `, advancing to ${target}`;
  invocation.terminal.print(data, () => `${name}: ${now}${goingOn}`);
};

export const advanceClock = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { words, terminal } = invocation;
  const { client, name } = await clockOf(invocation);
  const progress = await terminal.progress(`Advancing the clock of ${name}`);
  const advanced = client.clock.advance(words[0]!, {
    onProgress: ({ now }) => progress.say(`Advancing the clock of ${name}: ${now}`),
  });
  const now = await advanced.finally(() => progress.end());
  terminal.print({ now }, () => `${name}: ${now}`);
};
