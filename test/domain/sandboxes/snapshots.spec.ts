import { describe, expect, it } from 'vitest';
import { snapshotCodec } from '../../../src/domain/sandboxes/codecs.ts';
import type { SnapshotEvent } from '../../../src/domain/sandboxes/snapshots/events.ts';
import {
  developerKeyOf,
  developerKeyIn,
  SNAPSHOT_ID,
  snapshotIdOf,
} from '../../../src/domain/sandboxes/snapshots/ids.ts';
import {
  snapshotsDecider,
  type SnapshotCommand,
} from '../../../src/domain/sandboxes/snapshots/snapshots.ts';
import {
  developerSnapshotsAfter,
  snapshotDueAt,
} from '../../../src/domain/sandboxes/snapshots/view.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import { buildingId, parameters } from '../../support/domain/sandboxes.ts';
import { afterNoon, fold, noon, specify } from '../../support/domain/specify.ts';

const given = specify(snapshotsDecider);
const inDays = (days: number) => afterNoon(days * 24 * 60);
const idOf = (n: number) => `snp_0123456789ab0000000${n}`;
const details = (n: number) => ({
  snapshotId: idOf(n),
  organisation: 'acme',
  developer: 'ana',
  name: 'With faults',
  sandboxId: 'sbx_0123456789abcdef',
  generation: 2,
  parameters,
  buildingId,
  estimatedBytes: 1_000,
});
const requesting = (n = 1): SnapshotCommand => ({ type: 'RequestSnapshot', ...details(n) });
const requested = (n = 1, expiresAt = '2026-04-01T12:00:00.000Z'): SnapshotEvent => ({
  type: 'SnapshotRequested',
  ...details(n),
  expiresAt,
});
const ready = (n = 1): SnapshotEvent => ({
  type: 'SnapshotReady',
  snapshotId: idOf(n),
  bytes: 2_000,
});
const failed = (n = 1): SnapshotEvent => ({
  type: 'SnapshotFailed',
  snapshotId: idOf(n),
  reason: 'The disk is full.',
});
const deleted = (n = 1): SnapshotEvent => ({ type: 'SnapshotDeleted', snapshotId: idOf(n) });
const expired = (n = 1): SnapshotEvent => ({ type: 'SnapshotExpired', snapshotId: idOf(n) });
const ending: SnapshotCommand = { type: 'EndSnapshot', snapshotId: idOf(1), bytes: 2_000 };
const failing: SnapshotCommand = {
  type: 'FailSnapshot',
  snapshotId: idOf(1),
  reason: 'The disk is full.',
};
const deleting: SnapshotCommand = { type: 'DeleteSnapshot', snapshotId: idOf(1) };
const looking: SnapshotCommand = { type: 'LookAtSnapshot', snapshotId: idOf(1) };

describe('a request', () => {
  it('is recorded with its end, 30 days later', () => {
    given().when(requesting()).records(requested());
  });

  it('is refused beside three others, failed ones included', () => {
    const limit = { limit: 3 };
    const three = given(requested(1), ready(1), requested(2), failed(2), requested(3));
    three.when(requesting(4)).refuses('SNAPSHOT_LIMIT_REACHED', limit);
  });

  it.each([
    ['was deleted', deleted()],
    ['has expired', expired()],
  ])('is accepted beside two and one that %s', (_, gone) => {
    given(requested(1), requested(2), requested(3), gone).when(requesting(4)).records(requested(4));
  });

  it('counts no snapshot past its end, even before its expiry is recorded', () => {
    const at = inDays(30);
    const { outcome } = given(requested(1), requested(2), requested(3)).when(requesting(4), at);
    expect(outcome).toHaveLength(1);
  });

  it('is refused under an id that is in use', () => {
    given(requested()).when(requesting()).refuses('CONFLICT');
  });
});

describe('the work', () => {
  it('ends in ready, or in failed', () => {
    given(requested()).when(ending).records(ready());
    given(requested()).when(failing).records(failed());
  });

  it.each([
    ['ready', [requested(), ready()]],
    ['failed', [requested(), failed()]],
    ['deleted', [requested(), deleted()]],
    ['expired', [requested(), expired()]],
    ['unknown', []],
  ])('has no effect on a snapshot that is %s', (_, history) => {
    for (const command of [ending, failing])
      given(...history)
        .when(command)
        .recordsNothing();
  });
});

describe('deletion', () => {
  it.each([
    ['creating', [requested()]],
    ['ready', [requested(), ready()]],
    ['failed', [requested(), failed()]],
  ])('of a snapshot that is %s is recorded', (_, history) => {
    given(...history)
      .when(deleting)
      .records(deleted());
  });

  it('is refused once the snapshot is deleted', () => {
    given().when(deleting).refuses('NOT_FOUND');
    given(requested(), deleted()).when(deleting).refuses('NOT_FOUND');
    given(requested()).when(deleting, inDays(30)).refuses('NOT_FOUND');
  });
});

describe('time', () => {
  it('fails a snapshot that is not finished within 15 minutes', () => {
    given(requested()).when(looking, afterNoon(14)).recordsNothing();
    const { outcome } = given(requested()).when(looking, afterNoon(15));
    expect(outcome).toMatchObject([{ type: 'SnapshotFailed', reason: /15 minutes/ }]);
    given(requested(), ready()).when(looking, afterNoon(15)).recordsNothing();
  });

  it('ends each after 30 days, once', () => {
    for (const history of [[requested()], [requested(), ready()], [requested(), failed()]]) {
      given(...history)
        .when(looking, inDays(30))
        .records(expired());
      given(...history, expired())
        .when(looking, inDays(30))
        .recordsNothing();
    }
    given().when(looking, inDays(30)).recordsNothing();
  });

  it('determines when the next step is due', () => {
    const viewOf = (...events: SnapshotEvent[]) => fold(snapshotsDecider, events).get(idOf(1))!;
    expect(snapshotDueAt(viewOf(requested()))).toBe(afterNoon(15).at);
    expect(snapshotDueAt(viewOf(requested(), ready()))).toBe(inDays(30).at);
    expect(snapshotDueAt(viewOf(requested(), failed()))).toBe(inDays(30).at);
  });
});

it('the view shows the estimated bytes first, and then the actual ones', () => {
  const by = { kind: 'user', id: 'ana', name: 'Ana' } as const;
  const first = developerSnapshotsAfter({ event: requested(), at: noon.at, by }, null);
  const creating = { status: 'creating', bytes: 1_000, createdAt: noon.at, createdBy: by };
  expect(first.get(idOf(1))).toMatchObject(creating);
  const then = developerSnapshotsAfter({ event: ready(), at: noon.at, by }, first);
  expect(then.get(idOf(1))).toMatchObject({ status: 'ready', bytes: 2_000, createdBy: by });
  const failure = developerSnapshotsAfter({ event: failed(), at: noon.at, by }, first).get(idOf(1));
  expect(failure).toMatchObject({ status: 'failed', bytes: 0, failureReason: 'The disk is full.' });
  expect(first.get(idOf(1))).toMatchObject({ status: 'creating' });
});

it('an id names its developer', () => {
  const developer = '0b6ff4a2-5d9a-5b0e-8f3a-0d8a4b1a2c3d';
  const snapshotId = snapshotIdOf(developer, '00000000-0000-4000-8000-000000000000');
  expect(snapshotId).toMatch(SNAPSHOT_ID);
  expect(developerKeyIn(snapshotId)).toBe(developerKeyOf(developer));
});

it.each([requested(), ready(), failed(), deleted(), expired()])(
  '$type is stored and read again',
  (event) => {
    expect(throughJson(snapshotCodec, event)).toEqual(event);
  },
);
