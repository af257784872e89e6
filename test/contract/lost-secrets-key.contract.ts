/** A server started without the key that sealed its secrets: the same on every log. */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runAtrium } from '../support/servers/cli.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import type { Servers } from '../support/servers/servers.ts';

export interface SecretsKeyRehearsal {
  /** Without a key of its own. */
  readonly env: Record<string, string> & { readonly ATRIUM_DATA: string };
  readonly running: Servers;
}

export const rehearseLostSecretsKey = async ({ env, running }: SecretsKeyRehearsal) => {
  const given = { ...env, WEBHOOK_ALLOW_PRIVATE: 'true' };
  let server = await running.start(given);
  const body = { url: 'http://127.0.0.1:47009/hook', events: ['building.point.updated'] };
  const made = await server.call('manager@acme.test', 'POST', '/api/v1/webhooks', { body });
  expect(made.status).toBe(201);
  expect(await secretsCheck(given)).toMatch(/opened secrets sealed with \S{8}$/);
  await server.signal('SIGTERM');

  const file = join(env.ATRIUM_DATA, 'secrets.key');
  const aside = `${file}.aside`;
  renameSync(file, aside);
  server = await running.spawn(given);
  await expect.poll(() => server.process.exitCode).toBe(1);
  expect(server.output()).toContain('secrets.key: is missing');
  expect(existsSync(file)).toBe(false);
  expect(await secretsCheck(given)).toMatch(/FAILED.*secrets\.key is missing/);

  const wrong = { ...given, ATRIUM_SECRETS_KEY: randomBytes(32).toString('base64') };
  server = await running.spawn(wrong);
  await expect.poll(() => server.process.exitCode).toBe(1);
  expect(server.output()).toContain('no configured key opens the keys of persons');
  expect(await secretsCheck(wrong)).toMatch(/FAILED.*no configured key opens/);

  renameSync(aside, file);
  server = await running.start(given);
  await expect.poll(() => readinessOf(server)).toEqual({ status: 'ready' });
  await server.signal('SIGTERM');
};

const readinessOf = async (server: ServerProcess): Promise<unknown> =>
  (await fetch(`${server.url}/health/ready`)).json();

const secretsCheck = async (env: Record<string, string>): Promise<string> => {
  const { out } = await runAtrium(env, 'doctor');
  return out.split('\n').find((line) => /^\S+\s+secrets\s/.test(line)) ?? out;
};
