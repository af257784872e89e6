import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorityOf, systemAuthority } from '../../../src/domain/authority.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import {
  webhookEventTypes,
  type SubscriptionEvent,
} from '../../../src/domain/webhooks/subscription/events.ts';
import {
  subscriptionDecider,
  type SubscriptionCommand,
} from '../../../src/domain/webhooks/subscription/subscription.ts';
import { subscribesTo, subscriptionAfter } from '../../../src/domain/webhooks/subscription/view.ts';
import { subscriptionCodec } from '../../../src/domain/webhooks/codecs.ts';
import { afterNoon, fold, noon, specify } from '../../support/domain/specify.ts';
import {
  counting,
  deliveryId,
  failures,
  registered,
  webhookId,
} from '../../support/domain/webhooks.ts';

const given = specify(subscriptionDecider);
const authority = authorityOf('acme');
const system = systemAuthority;
const paused: SubscriptionEvent = { type: 'SubscriptionPaused' };
const admitted: SubscriptionEvent = { type: 'ProbeAdmitted', deliveryId };
const deleted: SubscriptionEvent = { type: 'SubscriptionDeleted' };
const cleared = (by: 'success' | 'reset'): SubscriptionEvent => ({ type: 'FailuresCleared', by });
const pausedAtNoon = [registered, ...failures(10, noon.at), paused];

const registering = (events: readonly string[]): SubscriptionCommand => ({
  type: 'RegisterSubscription',
  authority,
  webhookId,
  organisation: 'acme',
  url: 'https://hook.example.org/',
  events,
  buildingId: null,
  description: null,
  sealedSecret: 'v1.a.b.c',
});

describe('registering', () => {
  it('records the request', () =>
    given()
      .when(registering(['building.point.updated']))
      .records(registered));

  it('accepts all four events, also the two that are not produced yet, each once', () =>
    given()
      .when(registering([...webhookEventTypes, ...webhookEventTypes]))
      .records({ ...registered, events: [...webhookEventTypes] }));

  it.each(['building.fault.created', 'service-desk.ticket.created', 'wifi-sensing.event', 'x'])(
    'refuses %s with the list of the four',
    (event) =>
      given()
        .when(registering(['building.point.updated', event]))
        .refuses('EVENT_NOT_SUBSCRIBABLE', { events: webhookEventTypes }),
  );

  it('of an id in use is refused', () =>
    given(registered)
      .when(registering(['building.point.updated']))
      .refuses('CONFLICT'));
});

describe('changing', () => {
  const changing = (over: object) =>
    ({ type: 'ChangeSubscription', authority, ...over }) as SubscriptionCommand;

  it('records the complete state, and keeps absent members', () => {
    const { url, events, buildingId, description } = registered;
    const details = { url, events, buildingId, description };
    given(registered)
      .when(changing({ url: 'https://other.example.org/' }))
      .records({ type: 'SubscriptionChanged', ...details, url: 'https://other.example.org/' });
  });

  it('to the current values records nothing', () =>
    given(registered)
      .when(changing({ events: ['building.point.updated'] }))
      .recordsNothing());

  it('refuses events that are not subscribable', () =>
    given(registered)
      .when(changing({ events: ['a'] }))
      .refuses('EVENT_NOT_SUBSCRIBABLE'));
});

describe('an organisation', () => {
  const commands: readonly SubscriptionCommand[] = [
    { type: 'ChangeSubscription', authority, url: 'https://a.example.org/' },
    { type: 'RotateSecret', authority, sealedSecret: 'x' },
    { type: 'ResetFailures', authority },
    { type: 'RequestTest', authority, deliveryId },
    { type: 'RequestRecovery', authority, since: '2026-03-01T00:00:00.000Z' },
    { type: 'RequestRedelivery', authority, deliveryId, journal: 'delivery-a', revision: 0 },
    { type: 'DeleteSubscription', authority },
  ];

  it.each(commands)('reaches its own by $type, and no other’s', (command) => {
    given(registered)
      .when({ ...command, authority: authorityOf('globex') })
      .refuses('NOT_FOUND');
    given().when(command).refuses('NOT_FOUND');
    given(registered, deleted).when(command).refuses('NOT_FOUND');
  });
});

describe('failures in a row', () => {
  it('are counted', () =>
    given(registered, ...failures(2, noon.at))
      .when(counting())
      .records({
        type: 'AttemptFailed',
        deliveryId,
        attempt: 1,
        finishedAt: noon.at,
        consecutiveFailures: 3,
      }));

  it('pause at the tenth, and not at the ninth or the eleventh', () => {
    const outcomeAfter = (count: number, ...further: SubscriptionEvent[]) =>
      given(registered, ...failures(count, noon.at), ...further).when(counting()).outcome;
    expect(outcomeAfter(8)).not.toContainEqual(paused);
    expect(outcomeAfter(9)).toContainEqual(paused);
    expect(outcomeAfter(10, paused)).not.toContainEqual(paused);
  });

  it('end with any success', () =>
    given(registered, ...failures(9, noon.at))
      .when(counting({ succeeded: true }))
      .records(cleared('success')));

  it('end a pause with any success too', () => {
    given(...pausedAtNoon)
      .when(counting({ succeeded: true }))
      .records(cleared('success'));
    const after = fold(subscriptionDecider, [...pausedAtNoon, cleared('success')]);
    expect(after).toMatchObject({ pausedAt: null, consecutiveFailures: 0 });
  });

  it('are not recorded for a success without any', () =>
    given(registered)
      .when(counting({ succeeded: true }))
      .recordsNothing());

  it('are cleared by hand, once', () => {
    const reset = { type: 'ResetFailures', authority } as const;
    given(...pausedAtNoon)
      .when(reset)
      .records(cleared('reset'));
    given(...pausedAtNoon, cleared('reset'))
      .when(reset)
      .recordsNothing();
    given(registered).when(reset).recordsNothing();
  });

  it('do not count an attempt that had begun before they were cleared by hand', () => {
    const history = [...pausedAtNoon, cleared('reset')];
    given(...history)
      .when(counting({ startedAt: '2026-03-02T11:59:59.999Z' }))
      .recordsNothing();
    const later = given(...history).when(counting({ startedAt: noon.at })).outcome;
    expect(later).toMatchObject([{ consecutiveFailures: 1 }]);
  });

  it('pause exactly at ten in a row, after any history', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (successes) => {
        const history: SubscriptionEvent[] = [registered];
        let inARow = 0;
        let isPaused = false;
        for (const succeeded of successes) {
          inARow = succeeded ? 0 : inARow + 1;
          isPaused = succeeded ? false : isPaused || inARow === 10;
          const { outcome } = given(...history).when(counting({ succeeded }));
          expect(isRefusal(outcome)).toBe(false);
          if (!isRefusal(outcome)) history.push(...outcome);
          const now = fold(subscriptionDecider, history);
          expect(now).toMatchObject({ consecutiveFailures: inARow });
          expect(now?.pausedAt !== null).toBe(isPaused);
        }
      }),
      { numRuns: 300 },
    ));
});

describe('a paused subscription lets one event through', () => {
  const probe = { type: 'AdmitProbe', authority: system, deliveryId } as const;

  it('after an hour without an attempt, to the millisecond', () => {
    given(...pausedAtNoon)
      .when(probe, afterNoon(60))
      .records(admitted);
    given(...pausedAtNoon)
      .when(probe, afterNoon(60 - 1 / 60_000))
      .refuses('CONFLICT');
  });

  it('and no second one until the first was attempted', () =>
    given(...pausedAtNoon, admitted)
      .when(probe, afterNoon(300))
      .refuses('CONFLICT'));

  it('and after its failure, the next after another hour', () => {
    const [failed] = failures(11, afterNoon(61).at).slice(-1);
    const history = [...pausedAtNoon, admitted, failed!];
    given(...history)
      .when(probe, afterNoon(120))
      .refuses('CONFLICT');
    given(...history)
      .when(probe, afterNoon(121))
      .records(admitted);
  });

  it('but only while it is paused', () =>
    given(registered).when(probe, afterNoon(61)).refuses('CONFLICT'));
});

describe('a secret', () => {
  it('that is rotated signs beside the new one for 24 hours', () => {
    given(registered)
      .when({ type: 'RotateSecret', authority, sealedSecret: 'new' })
      .records({
        type: 'SecretRotated',
        sealedSecret: 'new',
        previousUntil: afterNoon(24 * 60).at,
      });
  });

  const rotated = (sealedSecret: string, hours: number) =>
    ({
      type: 'SecretRotated',
      sealedSecret,
      previousUntil: afterNoon((24 + hours) * 60).at,
    }) as const;
  const secretsAfterRotations = (...hours: readonly number[]) => {
    const by = { kind: 'user', id: 'manager' } as const;
    const first = subscriptionAfter({ event: registered, at: noon.at, by, position: '1' }, null);
    return hours.reduce((view, hour) => {
      const event = rotated(`at hour ${hour}`, hour);
      return subscriptionAfter({ event, at: afterNoon(hour * 60).at, by, position: '2' }, view);
    }, first)!;
  };

  it('that is replaced keeps its own end through the next rotations', () => {
    expect(secretsAfterRotations(0, 1, 2)).toMatchObject({
      sealedSecret: 'at hour 2',
      previousSecrets: [
        { sealedSecret: 'at hour 1', until: afterNoon(26 * 60).at },
        { sealedSecret: 'at hour 0', until: afterNoon(25 * 60).at },
        { sealedSecret: registered.sealedSecret, until: afterNoon(24 * 60).at },
      ],
    });
  });

  it('that has reached its end is dropped at the next rotation', () => {
    const { previousSecrets } = secretsAfterRotations(0, 23, 24);
    expect(previousSecrets.map(({ sealedSecret }) => sealedSecret)).toEqual([
      'at hour 23',
      'at hour 0',
    ]);
  });

  it('is not rotated while five previous ones sign, and is after the end of the first', () => {
    const rotations = [1, 2, 3, 4, 5].map((count) => rotated(String(count), 0));
    const command = { type: 'RotateSecret', authority, sealedSecret: 'new' } as const;
    const state = given(registered, ...rotations);
    state.when(command, afterNoon(24 * 60 - 1)).refuses('CONFLICT');
    state.when(command, afterNoon(24 * 60)).records(rotated('new', 24));
    given(registered, ...rotations.slice(1))
      .when(command, afterNoon(1))
      .records({ ...rotated('new', 0), previousUntil: afterNoon(24 * 60 + 1).at });
  });

  it('of a stream with more rotations in a day than are allowed now: the newest five sign', () => {
    const { sealedSecret, previousSecrets } = secretsAfterRotations(0, 1, 2, 3, 4, 5, 6);
    expect(sealedSecret).toBe('at hour 6');
    expect(previousSecrets.map((one) => one.sealedSecret)).toEqual(
      [5, 4, 3, 2, 1].map((hour) => `at hour ${hour}`),
    );
  });
});

it('recovers a past period, with its start before its end', () => {
  const recovering = (since: string, until?: string) =>
    ({ type: 'RequestRecovery', authority, since, until }) as const;
  const { at } = noon;
  given(registered)
    .when(recovering('2026-03-01T00:00:00.000Z'))
    .records({ type: 'RecoveryRequested', since: '2026-03-01T00:00:00.000Z', until: at });
  given(registered)
    .when(recovering(afterNoon(1).at))
    .refuses('VALIDATION_FAILED');
  given(registered)
    .when(recovering('2026-03-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'))
    .refuses('VALIDATION_FAILED');
});

it('recovers only what the log still keeps, and records that period', () => {
  const { at } = noon;
  const recovering = (since: string, until?: string) =>
    ({ type: 'RequestRecovery', authority, since, until }) as const;
  const sevenDaysAgo = '2026-02-23T12:00:00.000Z';
  expect(at).toBe('2026-03-02T12:00:00.000Z');
  given(registered)
    .when(recovering('2025-03-02T12:00:00.000Z'))
    .records({ type: 'RecoveryRequested', since: sevenDaysAgo, until: at });
  given(registered)
    .when(recovering(sevenDaysAgo))
    .records({ type: 'RecoveryRequested', since: sevenDaysAgo, until: at });
  given(registered)
    .when(recovering('2025-03-02T12:00:00.000Z', sevenDaysAgo))
    .refuses('VALIDATION_FAILED');
});

it('receives its subscribed events, of its building or of all buildings', () => {
  const event = { type: 'building.point.updated', buildingId: 'b' };
  expect(subscribesTo({ events: ['building.point.updated'], buildingId: null }, event)).toBe(true);
  expect(subscribesTo({ events: ['building.point.updated'], buildingId: 'b' }, event)).toBe(true);
  expect(subscribesTo({ events: ['building.point.updated'], buildingId: 'c' }, event)).toBe(false);
  expect(subscribesTo({ events: ['building.alarm.triggered'], buildingId: null }, event)).toBe(
    false,
  );
});

it('shows every field in its view that its decisions depend on', () => {
  const history = [...pausedAtNoon, admitted, cleared('reset'), deleted];
  const view = history.reduce<ReturnType<typeof subscriptionAfter>>(
    (before, event) =>
      subscriptionAfter({ event, at: noon.at, by: noon.by, position: '1' }, before),
    null,
  );
  expect(view).toMatchObject({ organisationId: 'acme', pausedAt: null, deletedAt: noon.at });
});

it('is stored as it is', () => {
  const meta = { commandId: webhookId, ...noon };
  for (const event of [...pausedAtNoon, admitted, cleared('success'), deleted]) {
    const stored = subscriptionCodec.encode(webhookId, event, meta);
    const place = { stream: 's', revision: 0, position: '1', recordedAt: noon.at };
    expect(subscriptionCodec.decode({ ...stored, ...place }).event).toEqual(event);
  }
});
