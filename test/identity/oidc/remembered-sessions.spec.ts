import { beforeEach, expect, it } from 'vitest';
import { Unauthenticated, type Caller, type Identity } from '../../../src/identity/caller.ts';
import { rememberedSessions } from '../../../src/identity/oidc/remembered-sessions.ts';
import { SESSION_REMEMBERED_MS } from '../../../src/identity/oidc/limits.ts';

const START_MS = Date.parse('2026-03-01T09:00:00.000Z');
let nowMs: number;
let checked: string[];
let expiresInMs: number;
let isRefused: boolean;

const callerOf = async (token: string): Promise<Caller> => {
  checked.push(token);
  if (isRefused) throw new Unauthenticated('refused');
  return {
    actor: { kind: 'user', id: token },
    organisation: 'acme',
    roles: [],
    permissions: new Set(),
    person: true,
    expiresAt: new Date(START_MS + expiresInMs).toISOString(),
  };
};

let identity: Identity;
beforeEach(() => {
  [nowMs, checked, expiresInMs, isRefused] = [START_MS, [], 10 * SESSION_REMEMBERED_MS, false];
  const asked: Identity = {
    issuer: 'http://issuer.test',
    callerOf,
    ready: async () => true,
    reachable: () => true,
  };
  identity = rememberedSessions(asked, () => nowMs);
});

it('checks each token once', async () => {
  for (const token of ['a', 'b', 'a', 'b', 'a'])
    expect((await identity.callerOf(token)).actor.id).toBe(token);
  expect(checked).toEqual(['a', 'b']);
});

it('checks it again after a while', async () => {
  await identity.callerOf('a');
  nowMs += SESSION_REMEMBERED_MS - 1;
  await identity.callerOf('a');
  expect(checked).toHaveLength(1);
  nowMs += 1;
  isRefused = true;
  await expect(identity.callerOf('a')).rejects.toBeInstanceOf(Unauthenticated);
});

it('checks it again as soon as it has expired', async () => {
  expiresInMs = 1_000;
  await identity.callerOf('a');
  nowMs += 1_000;
  await identity.callerOf('a');
  expect(checked).toHaveLength(2);
});

it('checks it again when the clock has gone back', async () => {
  await identity.callerOf('a');
  nowMs -= 1;
  await identity.callerOf('a');
  expect(checked).toHaveLength(2);
});

it('caches no refusal', async () => {
  isRefused = true;
  await expect(identity.callerOf('a')).rejects.toBeInstanceOf(Unauthenticated);
  isRefused = false;
  expect((await identity.callerOf('a')).actor.id).toBe('a');
});
