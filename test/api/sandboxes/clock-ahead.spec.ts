/** A host whose clock alone jumps ahead: what is dropped cannot be brought back. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testApi } from '../../support/api/api.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 24 * 60 * 60_000;
let issuer: SigningIssuer;
beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());

let aheadMs = 0;
const lines: string[] = [];
const builder = instantBuilder();
const platform = testApi(() => ({
  issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  sandboxBuilder: builder,
  clock: { now: () => new Date(Date.now() + aheadMs).toISOString() },
  logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
}));

it('ends no sandbox and no snapshot', async () => {
  const token = { sub: 'dora', organization: 'acme', realm_access: { roles: ['developer'] } };
  const developer = platform.with(await issuer.token(token));
  const create = async (path: string, body: object) => {
    const answer = await developer.post(path, body);
    expect(answer.status).toBe(202);
    return answer.body;
  };
  const ready = (path: string) =>
    until(async () => (await developer.get(path)).body.status === 'ready', `${path} to be ready`);
  const createBoth = async () => {
    const { sandboxId } = await create('/api/v1/sandboxes', { name: 'One' });
    const sandbox = `/api/v1/sandboxes/${sandboxId}`;
    await ready(sandbox);
    const { snapshotId } = await create(`${sandbox}/snapshots`, { name: 'One' });
    const snapshot = `/api/v1/snapshots/${snapshotId}`;
    await ready(snapshot);
    return [sandbox, snapshot] as const;
  };
  const [sandbox, snapshot] = await createBoth();

  aheadMs = 400 * DAY_MS;
  // Rows that change wake their timers.
  await createBoth();
  const refused = (timers: string) =>
    lines.some((line) => line.includes(`timers/${timers}`) && line.includes('clock is ahead'));
  await until(async () => refused('sandbox-due') && refused('snapshot-due'), 'both refusals');
  aheadMs = 0;
  expect((await developer.get(sandbox)).body.status).toBe('ready');
  expect((await developer.get(snapshot)).body.status).toBe('ready');
  expect(builder.cleared.filter(([, before]) => before === null)).toEqual([]);
});
