/** `atrium login`. */
import { styleText } from 'node:util';
import type { Invocation } from '../invocation.ts';
import { atriumAt } from '../session/client.ts';
import { profileNamedBy, serverNamedBy } from '../session/connection.ts';
import { signInOnDevice, type DeviceCode } from '../session/device.ts';
import { issuerOf } from '../session/issuer.ts';
import { underLock } from '../session/lock.ts';
import { profilesOf } from '../session/profiles.ts';
import { serverOnThisMachine } from '../session/server-address.ts';
import { lockOf } from '../session/tokens.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { browserIsHere, openInBrowser } from './browser.ts';

interface LoginOptions {
  readonly browser: boolean;
}

export const login = async (invocation: Invocation<LoginOptions>): Promise<void> => {
  const { options, env, terminal } = invocation;
  const profiles = profilesOf(env);
  const profile = await profileNamedBy(invocation);
  const before = await profiles.read(profile);
  const named = serverNamedBy(options, env) ?? before?.server ?? serverOnThisMachine(env);
  const server = new URL(named).origin;

  const issuer = await issuerOf(server);
  const withBrowser = options.browser && terminal.interactive && browserIsHere(env);
  const tokens = await signInOnDevice(issuer, (code) => show(code, withBrowser, terminal));
  const { data: me } = await atriumAt(server, async () => tokens.accessToken).GET('/api/v1/me');
  const { actor, organisation } = me;
  const name = printable(actor.name ?? actor.id);
  await underLock(lockOf(profiles, profile), () =>
    profiles.write(profile, { server, name, ...tokens }),
  );
  const who = organisation === null ? name : `${name} of ${organisation}`;
  terminal.print(
    { profile, server, issuer, actor, organisation },
    () => `${styleText('green', '✓')} Signed in to ${server} as ${who} (profile ${profile}).`,
  );
};

const show = async (code: DeviceCode, withBrowser: boolean, terminal: Terminal): Promise<void> => {
  const { userCode, url, urlWithCode, expiresInS } = code;
  const minutes = Math.max(1, Math.round(expiresInS / 60));
  terminal.notice(`Your code is ${styleText('bold', userCode, { stream: process.stderr })}`);
  terminal.notice(`Enter it at ${url} within ${minutes} min.`);
  const whole = urlWithCode ?? url;
  if (withBrowser && (await openInBrowser(whole))) return;
  // For a telephone; a program that reads along has the code already.
  if (terminal.interactive) terminal.notice((await import('uqr')).renderUnicodeCompact(whole));
};
