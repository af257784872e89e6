/** An erasure while events are written for an older release. contract.md section 11. */
import { expect, it } from 'vitest';
import { release } from '../../../src/compose.ts';
import { writtenVersions } from '../../../src/engine/log/written-versions.ts';
import { testApi } from '../../support/api/api.ts';

const platform = testApi(() => ({ besideOlder: true, personKeysTrustedMs: 0 }));
const manager = platform.as('manager@acme.test');
const asked = () =>
  manager.post(
    '/api/v1/erasures',
    { subject: { userId: 'zyx' }, texts: 'erase', reason: 'Asked for on 1 May.' },
    { 'idempotency-key': 'asked-again' },
  );

it('is refused until none can run any more, and records nothing', async () => {
  expect(await asked()).toMatchObject({
    status: 409,
    body: {
      code: 'PERSONAL_DATA_NOT_SEALED',
      detail: expect.stringContaining('atrium releases raise'),
    },
  });
  expect((await manager.get('/api/v1/erasures')).body.items).toEqual([]);

  const versions = writtenVersions(platform.log, release.eventTypes);
  await versions.raise({ kind: 'system', id: 'test' }, '2026-05-01T00:00:00.000Z');
  expect(await asked()).toMatchObject({ status: 202, body: { status: 'running' } });
});
