import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowanceDecider,
  isOccupied,
  type Allowance,
  type AllowanceCommand,
  type AllowanceEvent,
} from '../../../src/domain/sandboxes/allowance.ts';
import { isRefusal, type Instant } from '../../../src/engine/aggregates/decider.ts';
import { allowanceCodec } from '../../../src/domain/sandboxes/codecs.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import { afterNoon, noon, specify } from '../../support/domain/specify.ts';

const given = specify(allowanceDecider);
const [a, b, c, d] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const inFiveMinutes = afterNoon(5).at;

const reserving = (placeId: string) =>
  ({ type: 'ReservePlace', placeId, sandboxId: `sbx_${placeId}` }) as const;
const reserved = (placeId: string): AllowanceEvent => ({
  type: 'PlaceReserved',
  placeId,
  sandboxId: `sbx_${placeId}`,
  lapsesAt: inFiveMinutes,
});
const confirmed = (placeId: string): AllowanceEvent => ({ type: 'PlaceConfirmed', placeId });
const released = (placeId: string): AllowanceEvent => ({ type: 'PlaceReleased', placeId });
const three = [a, b, c].flatMap((placeId) => [reserved(placeId), confirmed(placeId)]);

describe('a quota slot for a sandbox', () => {
  it('is reserved for five minutes', () => given().when(reserving(a)).records(reserved(a)));

  it('is reserved idempotently', () => given(reserved(a)).when(reserving(a)).recordsNothing());

  it('is refused to the fourth, with the limit', () =>
    given(...three)
      .when(reserving(d))
      .refuses('SANDBOX_QUOTA_REACHED', { limit: 3, used: 3 }));

  it('counts while it is only reserved', () =>
    given(reserved(a), reserved(b), reserved(c))
      .when(reserving(d))
      .refuses('SANDBOX_QUOTA_REACHED'));

  it('lapses at that instant, unless it was confirmed', () => {
    const later = { ...noon, at: inFiveMinutes };
    const once = given(...three.slice(0, 4), reserved(c));
    once.when(reserving(d), later).records({ ...reserved(d), lapsesAt: afterNoon(10).at } as never);
    given(...three)
      .when(reserving(d), later)
      .refuses('SANDBOX_QUOTA_REACHED');
  });

  it('is free again once it is released', () =>
    given(...three, released(b))
      .when(reserving(d))
      .records(reserved(d)));

  it('is confirmed once', () => {
    given(reserved(a)).when({ type: 'ConfirmPlace', placeId: a }).records(confirmed(a));
    given(reserved(a), confirmed(a)).when({ type: 'ConfirmPlace', placeId: a }).recordsNothing();
  });

  it('can be confirmed after it lapsed: the sandbox exists and counts', () =>
    given(reserved(a))
      .when({ type: 'ConfirmPlace', placeId: a }, afterNoon(60))
      .records(confirmed(a)));

  it('is released once', () => {
    given(reserved(a)).when({ type: 'ReleasePlace', placeId: a }).records(released(a));
    given(reserved(a), released(a)).when({ type: 'ReleasePlace', placeId: a }).recordsNothing();
    given().when({ type: 'ReleasePlace', placeId: a }).recordsNothing();
  });

  it('that was never reserved cannot be confirmed', () =>
    given().when({ type: 'ConfirmPlace', placeId: a }).recordsNothing());
});

const anyCommand: fc.Arbitrary<AllowanceCommand> = fc
  .record({
    type: fc.constantFrom('ReservePlace', 'ConfirmPlace', 'ReleasePlace'),
    placeId: fc.constantFrom(...Array.from({ length: 6 }, () => randomUUID())),
  })
  .map(({ type, placeId }) => ({ type, placeId, sandboxId: 'sbx_x' }));

const takenIn = ({ slots }: Allowance, at: Instant): number =>
  [...slots.values()].filter((slot) => isOccupied(slot, at)).length;

describe('an allowance, for any sequence of commands', () => {
  it('reserves a fourth slot only after one lapsed, and is idempotent', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(anyCommand, fc.integer({ min: 0, max: 4 }))), (asked) => {
        let [allowance, minutes] = [allowanceDecider.initial, 0];
        for (const [command, wait] of asked) {
          minutes += wait;
          const occasion = afterNoon(minutes);
          const before = takenIn(allowance, occasion.at);
          const outcome = allowanceDecider.decide(command, allowance, occasion);
          const events = isRefusal(outcome) ? [] : outcome;
          const reserves = events.some(({ type }) => type === 'PlaceReserved');
          expect(isRefusal(outcome) && before < 3).toBe(false);
          expect(reserves && before >= 3).toBe(false);
          for (const event of events) {
            expect(throughJson(allowanceCodec, event)).toEqual(event);
            allowance = allowanceDecider.evolve(event, allowance, occasion.at);
          }
          const again = allowanceDecider.decide(command, allowance, occasion);
          expect(isRefusal(outcome) ? [] : again).toEqual([]);
        }
      }),
    ));
});
