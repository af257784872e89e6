import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal, type Instant } from '../../../src/engine/aggregates/decider.ts';
import type { SandboxEvent } from '../../../src/domain/sandboxes/events.ts';
import { phases } from '../../../src/domain/sandboxes/phases.ts';
import {
  isBeingBuilt,
  nextDueAt,
  sandboxDecider,
  type SandboxCommand,
  type SandboxState,
} from '../../../src/domain/sandboxes/sandbox.ts';
import { estimatedBytesOf } from '../../../src/domain/sandboxes/size.ts';
import { slugOf } from '../../../src/domain/sandboxes/slug.ts';
import { isThere, type SandboxView } from '../../../src/domain/sandboxes/view.ts';
import { sandboxCodec } from '../../../src/domain/sandboxes/codecs.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import {
  buildingId,
  failed,
  otherPlaceId,
  parameters,
  placeId,
  ready,
  requested,
  requesting,
} from '../../support/domain/sandboxes.ts';
import { afterNoon, fold, noon, specify } from '../../support/domain/specify.ts';

const given = specify(sandboxDecider);
const viewOf = (...events: readonly SandboxEvent[]) => fold(sandboxDecider, events)!;
const inDays = (days: number) => afterNoon(days * 24 * 60);
const extending = (days: number): SandboxCommand => ({ type: 'ExtendSandbox', days });
const resetting: SandboxCommand = { type: 'ResetSandbox', placeId: otherPlaceId };
const deleting: SandboxCommand = { type: 'DeleteSandbox' };
const looking: SandboxCommand = { type: 'LookAtTime' };
const beginning: SandboxCommand = { type: 'BeginProvisioning', generation: 1 };
const begun: SandboxEvent = { type: 'SandboxPhaseBegun', generation: 1, phase: 'database' };
const deleted: SandboxEvent = { type: 'SandboxDeleted', developer: 'ana', placeId };
const expired: SandboxEvent = { type: 'SandboxExpired', developer: 'ana', placeId };
const reset = {
  type: 'SandboxResetRequested',
  generation: 2,
  developer: 'ana',
  placeId,
} as const satisfies SandboxEvent;
const extended = (days: number, expiresAt: string): SandboxEvent => ({
  type: 'SandboxExtended',
  days,
  expiresAt,
});

describe('requesting a sandbox', () => {
  it.each([1, 14, 30])('ends it %i days from now', (days) =>
    given()
      .when(requesting(days))
      .records(requested(inDays(days).at)),
  );

  it('refuses more than 30 days, and names the latest end', () =>
    given()
      .when(requesting(31))
      .refuses('TTL_TOO_LONG', { latest: inDays(30).at }));

  it('refuses an id in use', () => given(requested()).when(requesting()).refuses('CONFLICT'));

  it('begins in the queue, with two extensions and its estimated size', () =>
    expect(viewOf(requested())).toMatchObject({
      status: 'provisioning',
      generation: 1,
      extensionsRemaining: 2,
      buildingId: null,
      begunAt: null,
      estimatedBytes: estimatedBytesOf(parameters),
      progress: { phase: 'queued', percent: 0 },
    }));
});

describe('provisioning', () => {
  it('goes through its phases in their order, each once', () => {
    given(requested()).when(beginning).records(begun);
    given(requested(), begun).when(beginning).recordsNothing();
    let history: readonly SandboxEvent[] = [requested(), begun];
    for (const [index, phase] of phases.slice(0, -1).entries()) {
      const next: SandboxEvent = {
        type: 'SandboxPhaseBegun',
        generation: 1,
        phase: phases[index + 1]!,
      };
      given(...history)
        .when({ type: 'EndPhase', generation: 1, phase })
        .records(next);
      history = [...history, next];
      given(...history)
        .when({ type: 'EndPhase', generation: 1, phase })
        .recordsNothing();
    }
    expect(viewOf(...history).progress).toEqual({ phase: 'health', percent: 95 });
  });

  it('ends in ready, with the building', () => {
    given(requested())
      .when({ type: 'EndProvisioning', generation: 1, buildingId })
      .records(ready());
    expect(viewOf(requested(), ready())).toMatchObject({
      status: 'ready',
      buildingId,
      progress: { phase: 'ready', percent: 100 },
    });
  });

  it('or in failed, with the reason', () => {
    const failing = {
      type: 'FailProvisioning',
      generation: 1,
      reason: 'The disk is full.',
    } as const;
    given(requested()).when(failing).records(failed());
    expect(viewOf(requested(), failed())).toMatchObject({
      status: 'failed',
      failureReason: 'The disk is full.',
    });
  });

  it('of an earlier generation or an ended sandbox changes nothing', () => {
    const late: readonly SandboxCommand[] = [
      beginning,
      { type: 'EndPhase', generation: 1, phase: 'database' },
      { type: 'EndProvisioning', generation: 1, buildingId },
      { type: 'FailProvisioning', generation: 1, reason: 'x' },
    ];
    const pasts = [[ready(), reset], [ready()], [failed()], [deleted], [expired]];
    for (const past of pasts)
      for (const command of late)
        given(requested(), ...past)
          .when(command)
          .recordsNothing();
  });

  it('has failed when it has not ended fifteen minutes after it was begun', () => {
    given(requested(), begun).when(looking, afterNoon(14)).recordsNothing();
    const { outcome } = given(requested(), begun).when(looking, afterNoon(15));
    expect(outcome).toMatchObject([{ type: 'SandboxFailed', generation: 1, placeId }]);
  });

  it('has failed after four hours in the queue', () => {
    given(requested()).when(looking, afterNoon(239)).recordsNothing();
    const { outcome } = given(requested()).when(looking, afterNoon(240));
    expect(outcome).toMatchObject([{ type: 'SandboxFailed', generation: 1, placeId }]);
  });

  it('begun by a release without a queue continues', () => {
    const building: SandboxEvent = { type: 'SandboxPhaseBegun', generation: 1, phase: 'building' };
    expect(viewOf(requested(), building)).toMatchObject({
      begunAt: noon.at,
      progress: { phase: 'building' },
    });
  });

  it('holds its quota slot after its end, until its expiry', () => {
    for (const end of [deleted, expired]) {
      expect(isBeingBuilt(viewOf(requested(), begun, end), afterNoon(14).at)).toBe(true);
      expect(isBeingBuilt(viewOf(requested(), begun, end), afterNoon(15).at)).toBe(false);
      expect(isBeingBuilt(viewOf(requested(), end), noon.at)).toBe(false);
      expect(isBeingBuilt(viewOf(requested(), begun, ready(), end), noon.at)).toBe(false);
    }
  });
});

describe('extending', () => {
  it('adds the days to the present end, and uses up one of two', () => {
    const first = extended(7, inDays(21).at);
    given(requested(), ready()).when(extending(7)).records(first);
    expect(viewOf(requested(), ready(), first).extensionsRemaining).toBe(1);
  });

  it('is refused the third time', () =>
    given(requested(), ready(), extended(1, inDays(15).at), extended(1, inDays(16).at))
      .when(extending(1))
      .refuses('EXTENSION_LIMIT_REACHED'));

  it('is refused when the end would be more than 30 days from now', () => {
    given(requested(), ready())
      .when(extending(17))
      .refuses('TTL_TOO_LONG', { latest: inDays(30).at });
    given(requested(), ready())
      .when(extending(16))
      .records(extended(16, inDays(30).at));
  });

  it.each([[[]], [[failed()]]])('is refused before it is ready, and after it failed', (past) =>
    given(requested(), ...past)
      .when(extending(1))
      .refuses('SANDBOX_NOT_READY'),
  );

  it('withdraws the warning', () => {
    const soon: SandboxEvent = { type: 'SandboxExpiringSoon', expiresAt: inDays(14).at };
    const after = viewOf(requested(), ready(), soon, extended(7, inDays(21).at));
    expect(after.expiresSoon).toBe(false);
  });
});

describe('resetting', () => {
  it('begins the next generation in the same quota slot', () =>
    given(requested(), ready()).when(resetting).records(reset));

  it('of a failed sandbox, which holds no quota slot, takes a new one', () =>
    given(requested(), failed())
      .when(resetting)
      .records({ ...reset, placeId: otherPlaceId }));

  it('is refused while it is being provisioned', () =>
    given(requested())
      .when(resetting)
      .refuses('SANDBOX_NOT_READY', { sandboxStatus: 'provisioning' }));

  it('keeps the database of a ready sandbox until the new one is ready or has failed', () => {
    const past = [requested(), ready(), reset];
    expect(viewOf(...past).replacesDatabase).toBe(true);
    for (const end of [ready(2), failed(2)])
      expect(viewOf(...past, end).replacesDatabase).toBe(false);
    expect(viewOf(requested(), failed(), reset).replacesDatabase).toBe(false);
  });

  it('keeps expiry, slug and extensions, and loses the building', () => {
    const before = viewOf(requested(), ready(), extended(7, inDays(21).at));
    const after = viewOf(requested(), ready(), extended(7, inDays(21).at), reset);
    const { expiresAt, slug, extensionsRemaining } = before;
    expect(after).toMatchObject({ expiresAt, slug, extensionsRemaining });
    expect(after).toMatchObject({ status: 'provisioning', buildingId: null, generation: 2 });
  });
});

describe('the end of a sandbox', () => {
  it('is immediate on deletion, in any state', () => {
    for (const past of [[], [ready()], [failed()]])
      given(requested(), ...past)
        .when(deleting)
        .records(deleted);
  });

  it('comes at its expiry', () => {
    given(requested(), ready()).when(looking, inDays(14)).records(expired);
    given(requested(), ready(), expired).when(looking, inDays(14)).recordsNothing();
  });

  it('is warned of a day before, once', () => {
    const soon: SandboxEvent = { type: 'SandboxExpiringSoon', expiresAt: inDays(14).at };
    given(requested(), ready()).when(looking, inDays(13)).records(soon);
    given(requested(), ready(), soon).when(looking, inDays(13)).recordsNothing();
    expect(viewOf(requested(), ready(), soon).expiresSoon).toBe(true);
  });

  it.each([[deleted], [expired]])('refuses all further commands: %j', (end) => {
    for (const command of [extending(1), resetting, deleting])
      given(requested(), ready(), end).when(command).refuses('NOT_FOUND');
  });

  it('is at its expiry, even before the expiry is recorded', () => {
    for (const command of [extending(1), resetting, deleting])
      given(requested(), ready()).when(command, inDays(14)).refuses('NOT_FOUND');
  });
});

const anyCommand: fc.Arbitrary<SandboxCommand> = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map(requesting),
  fc.integer({ min: 1, max: 40 }).map(extending),
  fc.constantFrom(resetting, deleting, looking),
  fc.record({
    type: fc.constant('BeginProvisioning' as const),
    generation: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    type: fc.constant('EndPhase' as const),
    generation: fc.integer({ min: 1, max: 3 }),
    phase: fc.constantFrom(...phases),
  }),
  fc.record({
    type: fc.constant('EndProvisioning' as const),
    generation: fc.integer({ min: 1, max: 3 }),
    buildingId: fc.constant(buildingId),
  }),
  fc.record({
    type: fc.constant('FailProvisioning' as const),
    generation: fc.integer({ min: 1, max: 3 }),
    reason: fc.constant('x'),
  }),
);

const consistent = (sandbox: SandboxView, at: Instant): void => {
  const { extensionsRemaining, expiresAt, status, ended } = sandbox;
  const latest = Date.parse(at) + 30 * 24 * 60 * 60_000;
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(latest);
  expect(extensionsRemaining).toBeGreaterThanOrEqual(0);
  expect(sandbox.buildingId !== null).toBe(status === 'ready');
  expect(sandbox.failureReason !== null).toBe(status === 'failed');
  expect(nextDueAt(sandbox) === null).toBe(ended !== null);
};

describe('a sandbox, after any sequence of commands', () => {
  it('has at most 30 days left, two extensions, and a due step until its end', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyCommand, fc.integer({ min: 0, max: 3_000 })), { maxLength: 30 }),
        (steps) => {
          let sandbox: SandboxState = null;
          let minutes = 0;
          for (const [command, wait] of steps) {
            minutes += wait;
            const occasion = afterNoon(minutes);
            const outcome = sandboxDecider.decide(command, sandbox, occasion);
            const events = isRefusal(outcome) ? [] : outcome;
            for (const event of events) {
              expect(throughJson(sandboxCodec, event)).toEqual(event);
              sandbox = sandboxDecider.evolve(event, sandbox, occasion.at);
            }
            if (sandbox) consistent(sandbox, occasion.at);
          }
        },
      ),
    ));

  it('records a due step once', () =>
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 10 }), (commands) => {
        let sandbox: SandboxState = null;
        for (const command of [requesting(), ...commands]) {
          const outcome = sandboxDecider.decide(command, sandbox, noon);
          if (isRefusal(outcome)) continue;
          for (const event of outcome) sandbox = sandboxDecider.evolve(event, sandbox, noon.at);
        }
        for (let fired = 0; sandbox && nextDueAt(sandbox) !== null; fired += 1) {
          expect(fired).toBeLessThan(4);
          const at = nextDueAt(sandbox)!;
          const outcome = sandboxDecider.decide(looking, sandbox, { ...noon, at });
          expect(outcome).not.toEqual([]);
          for (const event of outcome as readonly SandboxEvent[])
            sandbox = sandboxDecider.evolve(event, sandbox, at);
        }
        expect(sandbox && isThere(sandbox, noon.at)).toBe(false);
      }),
    ));
});

describe('a slug', () => {
  it.each([
    ['My Sandbox', 'my-sandbox-k3x9f2'],
    ['Ärger & Söhne', 'arger-sohne-k3x9f2'],
    ['  --x--  ', 'x-k3x9f2'],
    ['🏢🏢', 'sandbox-k3x9f2'],
    ['مبنى', 'sandbox-k3x9f2'],
    ['ＦＵＬＬ', 'full-k3x9f2'],
  ])('of %s is %s', (name, slug) => expect(slugOf(name, 'k3x9f2')).toBe(slug));

  it('is a valid host name label for any name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const slug = slugOf(name, 'k3x9f2');
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(63);
      }),
    ));
});
