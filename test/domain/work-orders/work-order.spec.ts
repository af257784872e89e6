/** Events of a work order, in any order and with duplicates. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import type { WorkOrderEvent, WorkOrderFact } from '../../../src/domain/work-orders/events.ts';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import { isInvalidMessage, workOrderEventOf } from '../../../src/domain/work-orders/message.ts';
import {
  WORK_ORDER_CHARACTERS_MAX,
  WORK_ORDER_TICKETS_MAX,
} from '../../../src/domain/work-orders/limits.ts';
import { workOrderDecider, workOrderKey } from '../../../src/domain/work-orders/work-order.ts';
import { workOrderLinking } from '../../../src/processes/work-orders/linking.ts';
import { TEXT_CHARACTERS_MAX } from '../../../src/limits.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { workOrderCodec } from '../../../src/domain/work-orders/codecs.ts';
import { fold, noon, specify } from '../../support/domain/specify.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import { draft, historyOf, viewOf } from '../../support/domain/tickets.ts';

const given = specify(workOrderDecider);
const { buildingId, ticketId } = draft;
const elsewhere = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';

const event = (over: Partial<WorkOrderEvent> = {}): WorkOrderEvent => ({
  kind: 'created',
  eventId: 'e1',
  buildingId,
  workOrderId: '4711',
  ticketId,
  occurredAt: '2026-03-02T12:00:00.000Z',
  title: null,
  status: null,
  progressPercent: null,
  note: null,
  ...over,
});

const receive = (one: WorkOrderEvent, building: string | null = buildingId) =>
  ({
    type: 'ReceiveWorkOrderEvent',
    event: one,
    ticket: one.ticketId === null || building === null ? null : { buildingId: building },
  }) as const;

const held = (one: WorkOrderEvent, reason: 'TICKET_NOT_NAMED' | 'TICKET_UNKNOWN') =>
  ({ type: 'WorkOrderEventHeld', event: one, reason }) as const;

const directed = (one: WorkOrderEvent, to: string = ticketId) =>
  ({ type: 'WorkOrderEventDirected', event: one, ticketId: to }) as const;

describe('an event of a work order', () => {
  const orphan = event({ kind: 'updated', eventId: 'e2', ticketId: null });

  // A quadratic fold of so many does not end within the time limit of a test.
  it('is one of a stream that is folded in linear time', () => {
    const facts = Array.from({ length: 80_000 }, (_, n) => directed(event({ eventId: `e${n}` })));
    const { inbox, ticketIds } = fold(workOrderDecider, facts);
    expect([...inbox.values()]).toHaveLength(facts.length);
    expect(ticketIds).toEqual([ticketId]);
  });

  it('is for the ticket that it names', () =>
    given().when(receive(event())).records(directed(event())));

  it('is for the tickets of its order where it names none', () =>
    given(directed(event()), directed(event({ eventId: 'e9', ticketId: other }), other))
      .when(receive(orphan))
      .records(directed(orphan), directed(orphan, other)));

  it('waits where it names none and its order has none', () =>
    given().when(receive(orphan)).records(held(orphan, 'TICKET_NOT_NAMED')));

  it('that waits is handed over with the first event that names a ticket, ordered by time', () => {
    const late = event({ occurredAt: '2026-03-02T13:00:00.000Z' });
    given(held(orphan, 'TICKET_NOT_NAMED'))
      .when(receive(late))
      .records(directed(orphan), directed(late));
  });

  it('of the same time is ordered by id, so that the order is deterministic', () => {
    const [first, second] = [orphan, event({ eventId: 'e3' })];
    given(held(first, 'TICKET_NOT_NAMED'))
      .when(receive(second))
      .records(directed(first), directed(second));
  });

  it('is for a further ticket of its order too', () =>
    given(directed(event()), directed(orphan))
      .when(receive(event({ eventId: 'e3', ticketId: other })))
      .records(
        directed(orphan, other),
        directed(event({ eventId: 'e3', ticketId: other }), other),
      ));

  it('that named another ticket is not for this one', () =>
    given(directed(event({ ticketId: other }), other))
      .when(receive(event({ eventId: 'e3' })))
      .records(directed(event({ eventId: 'e3' }))));

  it('counts once', () => {
    given(directed(event()))
      .when(receive(event({ kind: 'completed' })))
      .recordsNothing();
    given(held(orphan, 'TICKET_NOT_NAMED')).when(receive(orphan)).recordsNothing();
  });

  it('is handed to a ticket once, also when a later event names that ticket again', () =>
    given(directed(event()), directed(orphan))
      .when(receive(event({ kind: 'updated', eventId: 'e3' })))
      .records(directed(event({ kind: 'updated', eventId: 'e3' }))));

  it('is held while its ticket is unknown, and handed over once the ticket is known', () => {
    const early = event({ kind: 'updated' });
    given().when(receive(early, null)).records(held(early, 'TICKET_UNKNOWN'));
    const created = event({ eventId: 'e2' });
    given(held(early, 'TICKET_UNKNOWN'))
      .when(receive(created))
      .records(directed(early), directed(created));
  });

  it('that creates the order once more for its ticket says nothing', () => {
    const again = event({ eventId: 'e2', occurredAt: '2026-03-02T11:00:00.000Z' });
    given(directed(event())).when(receive(again)).recordsNothing();
    given(held(event(), 'TICKET_UNKNOWN')).when(receive(again, null)).recordsNothing();
    // The first event has waited for its ticket, and is the effective one.
    given(held(event(), 'TICKET_UNKNOWN')).when(receive(again)).records(directed(event()));
    const elseTicket = event({ eventId: 'e2', ticketId: other });
    given(directed(event())).when(receive(elseTicket)).records(directed(elseTicket, other));
    const late = event({ kind: 'updated', eventId: 'e0' });
    given(directed(late)).when(receive(event())).records(directed(event()));
  });

  it('is never for a ticket of another building, and links nothing to it', () => {
    const refused = { ...held(event(), 'TICKET_UNKNOWN'), reason: 'TICKET_ELSEWHERE' } as const;
    given().when(receive(event(), elsewhere)).records(refused);
    given(refused).when(receive(orphan)).records(held(orphan, 'TICKET_NOT_NAMED'));
  });

  describe('with many to record', () => {
    const tickets = Array.from({ length: WORK_ORDER_TICKETS_MAX }, () => randomUUID());
    const linked = tickets.map((id, n) => directed(event({ eventId: `t${n}`, ticketId: id }), id));
    /** All that is recorded of an event, and the largest append. */
    const recorded = (before: readonly WorkOrderFact[], one: WorkOrderEvent) => {
      const facts = [...before];
      let bytesMax = 0;
      for (;;) {
        const portion = workOrderDecider.decide(receive(one), fold(workOrderDecider, facts), noon);
        if (isRefusal(portion)) throw new Error(portion.detail);
        if (portion.length === 0) return { facts: facts.slice(before.length), bytesMax };
        bytesMax = Math.max(bytesMax, Buffer.byteLength(JSON.stringify(portion)));
        facts.push(...portion);
      }
    };
    const note = '\u0001'.repeat(TEXT_CHARACTERS_MAX);

    it('is recorded in appends that any log accepts, when it is for many tickets', () => {
      const long = event({ kind: 'updated', eventId: 'e2', ticketId: null, note });
      const { facts, bytesMax } = recorded(linked, long);
      expect(facts).toEqual(tickets.map((id) => directed(long, id)));
      expect(bytesMax).toBeLessThan(1024 * 1024);
    });

    it('is recorded so too, with the many that waited for it', () => {
      const waited = Array.from({ length: 30 }, (_, n) =>
        event({ kind: 'updated', eventId: `w${n + 10}`, ticketId: null, note }),
      );
      const before = waited.map((one) => held(one, 'TICKET_NOT_NAMED'));
      const late = event({ occurredAt: '2026-03-02T13:00:00.000Z' });
      const { facts, bytesMax } = recorded(before, late);
      expect(facts).toEqual([...waited, late].map((one) => directed(one)));
      expect(bytesMax).toBeLessThan(1024 * 1024);
    });

    it('is refused beyond the bounds of its order, and a redelivery is not', () => {
      given(...linked)
        .when(receive(event()))
        .refuses('PAYLOAD_TOO_LARGE');
      given(...linked)
        .when(receive(linked[0]!.event))
        .recordsNothing();
      const texts = Array.from({ length: 50 }, (_, n) =>
        directed(event({ kind: 'updated', eventId: `n${n}`, note })),
      );
      expect(fold(workOrderDecider, texts).characters).toBeGreaterThan(WORK_ORDER_CHARACTERS_MAX);
      given(...texts)
        .when(receive(orphan))
        .refuses('PAYLOAD_TOO_LARGE');
      given(...texts)
        .when(receive(texts[1]!.event))
        .recordsNothing();
    });
  });

  it('is kept as it came', () => {
    const facts: WorkOrderFact[] = [held(orphan, 'TICKET_UNKNOWN'), directed(event())];
    for (const fact of facts) expect(throughJson(workOrderCodec, fact)).toStrictEqual(fact);
  });
});

describe('a message of a work order', () => {
  const subject = { buildingId, type: 'cafm.work-order.updated' };
  const data = {
    eventId: 'e1',
    buildingId,
    workOrderId: '4711',
    occurredAt: '2026-03-02T12:00:00Z',
  };

  it('is read with defaults for omitted members, and without unknown ones', () =>
    expect(workOrderEventOf(subject, { ...data, ticketId: null, note: ' ', more: 1 })).toEqual(
      event({ kind: 'updated', ticketId: null }),
    ));

  it('has its time in UTC and its ids in lower case', () =>
    expect(
      workOrderEventOf(subject, {
        ...data,
        buildingId: buildingId.toUpperCase(),
        ticketId: ticketId.toUpperCase(),
        occurredAt: '2026-03-02T13:00:00.5+01:00',
      }),
    ).toMatchObject({ buildingId, ticketId, occurredAt: '2026-03-02T12:00:00.500Z' }));

  it.each([
    [{ eventId: ' e' }, 'eventId'],
    [{ workOrderId: 'x'.repeat(101) }, 'workOrderId'],
    [{ buildingId: elsewhere }, 'buildingId'],
    [{ progressPercent: -1 }, 'progressPercent'],
  ])('is none with %o', (over, path) => {
    const read = workOrderEventOf(subject, { ...data, ...over });
    expect(isInvalidMessage(read) && read.map((place) => place.path)).toEqual([path]);
  });

  it('of another kind is none', () =>
    expect(
      isInvalidMessage(workOrderEventOf({ buildingId, type: 'cafm.work-order.lost' }, data)),
    ).toBe(true));
});

const linking = workOrderLinking({
  tickets: {
    look: async () => null,
    give: () => Promise.reject(new Error('the process is not run here')),
  },
  park: () => Promise.reject(new Error('the process is not run here')),
  desks: { configurationOf: async () => emptyConfiguration },
});

const nowhere = {
  id: other,
  stream: 'workOrder-x',
  revision: 0,
  position: '1',
  recordedAt: noon.at,
  commandId: other,
  ...noon,
};

describe('the process', () => {
  const commandsFor = (one: WorkOrderEvent) =>
    linking.on.WorkOrderEventDirected!({ ...nowhere, event: directed(one) }, undefined);

  it.each([
    ['created', 'LinkWorkOrder'],
    ['updated', 'NoteWorkOrderProgress'],
    ['completed', 'CompleteWorkOrder'],
  ] as const)('gives for %s the command %s', (kind, type) =>
    expect(commandsFor(event({ kind }))).toMatchObject([
      { kind: 'ticket', id: ticketId, command: { type, links: true, workOrderId: '4711' } },
    ]),
  );

  it('links by an event that names the ticket, and by no other', () =>
    expect(commandsFor(event({ kind: 'updated', ticketId: null }))).toMatchObject([
      { command: { links: false } },
    ]));
});

/** The whole way of events: inboxes, then the process, then the ticket. */
const delivered = (state: 'new' | 'waiting', events: readonly WorkOrderEvent[]) => {
  const on = linking.on.WorkOrderEventDirected!;
  const orders = new Map<string, WorkOrderFact[]>();
  const history: TicketEvent[] = [...historyOf(state)];
  for (const one of events) {
    const facts = orders.get(workOrderKey(one)) ?? [];
    const decided = workOrderDecider.decide(receive(one), fold(workOrderDecider, facts), noon);
    if (isRefusal(decided)) throw new Error(decided.detail);
    orders.set(workOrderKey(one), [...facts, ...decided]);
    for (const fact of decided) {
      if (fact.type !== 'WorkOrderEventDirected') continue;
      const recorded = { ...nowhere, event: fact };
      const effects = on(recorded, undefined);
      for (const { id, command } of 'outcome' in effects ? [] : effects) {
        if (id !== ticketId) continue;
        const events = ticketDecider.decide(command, fold(ticketDecider, history), noon);
        if (isRefusal(events)) throw new Error(events.detail);
        for (const event of events) expect(throughJson(ticketCodec, event)).toStrictEqual(event);
        history.push(...events);
      }
    }
  }
  const {
    revision: _,
    updatedAt: __,
    resolvedAt,
    slaFirstResponseEndedAt,
    ...view
  } = viewOf(history);
  const ended = [resolvedAt, slaFirstResponseEndedAt].map((at) => at !== null);
  const notes = history.filter(({ type }) => type === 'SystemNoteAdded');
  return { view, ended, notes: notes.map((note) => JSON.stringify(note)).toSorted() };
};

const some = fc.constantFrom;

/**
 * Of three orders at few moments, so that ids and times collide. An order is created once for a
 * ticket: of two creations, the one that arrives first counts.
 */
const anyEvents = fc
  .uniqueArray(
    fc.record({
      kind: some('created', 'updated', 'completed'),
      eventId: some('a', 'b', 'c', 'd', 'e', 'f'),
      workOrderId: some('1', '2', '10'),
      ticketId: some(ticketId, ticketId, null, other),
      occurredAt: some('2026-03-02T12:00:00.000Z', '2026-03-02T12:00:00.001Z'),
      note: some(null, 'Done.'),
    }),
    {
      selector: ({ eventId, workOrderId }) => `${workOrderId} ${eventId}`,
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((all) => all.map((over) => event(over as Partial<WorkOrderEvent>)))
  .map((all) =>
    all.filter(
      (one, index) =>
        one.kind !== 'created' ||
        !all
          .slice(0, index)
          .some(
            ({ kind, workOrderId, ticketId: named }) =>
              kind === 'created' && workOrderId === one.workOrderId && named === one.ticketId,
          ),
    ),
  );

const shuffledAll = <T>(all: readonly T[]) =>
  fc.shuffledSubarray([...all], { minLength: all.length });

describe('any interleaving and redelivery of the events of work orders', () => {
  it.each(['new', 'waiting'] as const)('ends in the same ticket, from one that is %s', (state) =>
    fc.assert(
      fc.property(
        anyEvents.chain((events) =>
          fc.record({
            events: fc.constant(events),
            // Each once, some again, in any order.
            shuffled: fc
              .array(fc.constantFrom(...events), { maxLength: 9 })
              .chain((again) => shuffledAll([...events, ...again])),
          }),
        ),
        ({ events, shuffled }) => {
          expect(delivered(state, shuffled)).toEqual(delivered(state, events));
        },
      ),
      { numRuns: 300 },
    ),
  );
});
