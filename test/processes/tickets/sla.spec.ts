/** SLA timers of tickets: exactly one event each, in spite of restarts and crashes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemAuthority } from '../../../src/domain/authority.ts';
import type { Instant } from '../../../src/engine/aggregates/decider.ts';
import type { TicketEvent, TicketFact } from '../../../src/domain/tickets/events.ts';
import {
  ticketDecider,
  type Ticket,
  type TicketCommand,
} from '../../../src/domain/tickets/ticket.ts';
import { slaProjections, ticketSla, type SlaTimer } from '../../../src/processes/tickets/sla.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { letPass, until } from '../../support/until.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { afterNoon } from '../../support/domain/specify.ts';
import { anyStory } from '../../support/domain/ticket-stories.ts';
import { assigned, draft, moved, opened, responded } from '../../support/domain/tickets.ts';
import {
  slaTimersOn,
  slaEventsOf,
  openTicket,
  record,
  recordedOf,
  type RunningSlaTimers,
} from './sla-timers.ts';
import { allEvents } from '../../support/log/all-events.ts';

const all = [
  'SlaWarningRaised first_response',
  'SlaClockBreached first_response',
  'SlaWarningRaised resolution',
  'SlaClockBreached resolution',
];

/** Only the timer tables: the test executes their effects by itself. */
const timersAlone = ticketSla({ give: () => Promise.reject(new Error('nobody is asked')) });

describe('the timers of a ticket, after any commands and pauses of the process', () => {
  const calendar = {
    timeZone: 'Europe/Berlin',
    weekly: { monday: [['09:00', '14:00']], tuesday: [['09:00', '14:00']] },
    holidays: [],
  } as const;
  const pausing = (over: Partial<TicketFact<'TicketOpened'>>) =>
    opened({
      slaWarning: { firstResponseAt: afterNoon(48).at, resolutionAt: afterNoon(60).at },
      ...over,
    });
  const anyOpening = fc.constantFrom(
    opened(),
    pausing({ slaPause: { calendar: null, warningPercent: 80 } }),
    pausing({ slaPause: { calendar, warningPercent: 80 } }),
    opened({ slaResolutionDueAt: opened().slaFirstResponseDueAt }),
    opened({
      slaFirstResponseDueAt: null,
      slaWarning: { firstResponseAt: null, resolutionAt: null },
    }),
  );

  /** A ticket and its rows, as the log, the aggregate and the timers would have them together. */
  const living = (opening: TicketFact<'TicketOpened'>) => {
    let ticket: Ticket | null = null;
    const facts: { event: TicketEvent; at: Instant }[] = [];
    const rows: (SlaTimer | null)[] = slaProjections.map(() => null);
    const take = (events: readonly TicketEvent[], at: Instant) => {
      for (const event of events) {
        ticket = ticketDecider.evolve(event, ticket, at);
        slaProjections.forEach((projection, index) => {
          const recorded = { event, at, stream: 'ticket-1' } as Recorded<TicketEvent>;
          rows[index] = projection.rowAfter(recorded, rows[index] ?? null);
        });
        facts.push({ event, at });
      }
    };
    const give = (command: TicketCommand, minutes: number) => {
      const occasion = afterNoon(minutes);
      const decision = ticketDecider.decide(command, ticket, occasion);
      const events = 'refused' in decision ? [] : decision;
      take(events, occasion.at);
      return events.length;
    };
    take([opening], afterNoon(0).at);
    return {
      facts,
      rows,
      give,
      /** Fires due timers; each must lead to an event. */
      fireDue(minutes: number) {
        for (const [index, timer] of timersAlone.entries())
          for (let row = rows[index]; row?.dueAt != null && row.dueAt <= afterNoon(minutes).at;) {
            const { command } = timer.fire(row);
            expect(give(command, minutes), JSON.stringify(row)).toBe(1);
            row = rows[index];
          }
      },
    };
  };

  it('change something each time, and raise nothing twice', () => {
    fc.assert(
      fc.property(
        anyOpening,
        anyStory,
        fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
        (opening, story, awake) => {
          const one = living(opening);
          let minutes = 0;
          story.forEach(([command, later], index) => {
            minutes += later;
            if (awake[index]) one.fireDue(minutes);
            one.give(command, minutes);
          });
          one.fireDue(minutes + 1_000_000);
          const events = one.facts.flatMap(({ event }) =>
            'clock' in event ? [`${event.type} ${event.clock}`] : [],
          );
          expect(new Set(events).size).toBe(events.length);
          // A clock without a breach in the end has ended, or is paused.
          for (const row of one.rows.filter((row) => row !== null))
            expect(['waiting', 'resolved']).toContain(row.state);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('all fire for an untouched ticket', () => {
    const one = living(opened());
    for (let minutes = 0; minutes <= 482; minutes += 1) one.fireDue(minutes);
    const after = one.facts
      .slice(1)
      .map(({ at }) => (Date.parse(at) - Date.parse(afterNoon(0).at)) / 6e4);
    expect(after).toEqual([48, 61, 384, 481]);
  });

  it('wait as long as the ticket does', () => {
    const one = living(pausing({ slaPause: { calendar: null, warningPercent: 80 } }));
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'triaged' }, 10);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'waiting' }, 10);
    expect(one.rows.map((row) => row?.dueAt)).toEqual([null, null]);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'in_progress' }, 110);
    expect(one.rows.map((row) => row?.dueAt)).toEqual([afterNoon(148).at, afterNoon(160).at]);
  });

  it('are removed by the final end of their clock, and only then', () => {
    const one = living(opened());
    one.give({ type: 'AssignTicket', authority: systemAuthority, assignedUserId: 'u1' }, 1);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'triaged' }, 1);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'resolved' }, 2);
    expect(one.rows).toMatchObject([null, { state: 'resolved', dueAt: null }]);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'reopened' }, 3);
    expect(one.rows[1]?.dueAt).toBe(afterNoon(384).at);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'resolved' }, 4);
    one.give({ type: 'TransitionTicket', authority: systemAuthority, to: 'closed' }, 5);
    expect(one.rows).toEqual([null, null]);
  });

  it('ignore events unrelated to a clock', () => {
    const one = living(opened());
    const before = [...one.rows];
    one.give(
      {
        type: 'AddNote',
        authority: systemAuthority,
        noteId: draft.ticketId,
        body: 'x',
        visibility: 'public',
      },
      1,
    );
    one.give({ type: 'EditTicket', authority: systemAuthority, patch: { priority: 'low' } }, 2);
    one.rows.forEach((row, index) => expect(row).toBe(before[index]));
  });
});

describe('a clock that falls due', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let log: EventStore;
  let running: (() => Promise<unknown>)[];
  beforeEach(async () => {
    database = await freshDatabase();
    await prepareLog(database.url);
    log = postgresEventStore({ url: database.url });
    running = [];
  });
  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop();
    await log.close();
    await database.drop();
  });

  const started = (): RunningSlaTimers => {
    const one = slaTimersOn(database.url, log);
    running.push(() => one.stop());
    one.start();
    return one;
  };
  const stopLast = () => running.pop()!();
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const HOUR = 3_600_000;
  /** Overdue by an outage of one night. */
  const overdue = () =>
    openTicket(log, inMs(-20 * HOUR), {
      slaFirstResponseDueAt: inMs(-19 * HOUR),
      slaResolutionDueAt: inMs(-12 * HOUR),
    });
  const sorted = async (id: string) => (await slaEventsOf(log, id)).sort();

  it('warns, and then is breached, each at its time and as the system', async () => {
    const [first, resolution] = [inMs(900), inMs(1_200)];
    const id = await openTicket(log, inMs(0), {
      slaFirstResponseDueAt: first,
      slaResolutionDueAt: resolution,
      slaWarning: { firstResponseAt: inMs(600), resolutionAt: inMs(800) },
    });
    const one = started();
    await until(async () => (await slaEventsOf(log, id)).length === 4);
    const [, ...facts] = await recordedOf(log, id);
    for (const { by, origin } of facts) expect([by.kind, origin]).toEqual(['system', 'sla']);
    const late = facts.flatMap(({ event, at }) =>
      event.type === 'SlaClockBreached' ? [at > event.dueAt] : [],
    );
    expect(late).toEqual([true, true]);
    expect(facts.map(({ event }) => ('dueAt' in event ? event.dueAt : '')).sort()).toEqual([
      first,
      first,
      resolution,
      resolution,
    ]);
    expect(await sorted(id)).toEqual([...all].sort());
    expect(await one.stuck()).toEqual([]);
  });

  it('at the same instant as the other one fires too', async () => {
    const [dueAt, warnsAt] = [inMs(700), inMs(400)];
    const id = await openTicket(log, inMs(0), {
      slaFirstResponseDueAt: dueAt,
      slaResolutionDueAt: dueAt,
      slaWarning: { firstResponseAt: warnsAt, resolutionAt: warnsAt },
    });
    const one = started();
    await until(async () => (await slaEventsOf(log, id)).length === 4);
    expect(await sorted(id)).toEqual([...all].sort());
    expect(await one.stuck()).toEqual([]);
  });

  it('is breached with its due time after a restart with rebuilt tables', async () => {
    const id = await openTicket(log, inMs(0), {
      slaFirstResponseDueAt: inMs(2_500),
      slaResolutionDueAt: inMs(HOUR),
      slaWarning: { firstResponseAt: inMs(100), resolutionAt: null },
    });
    const first = started();
    await until(async () => (await slaEventsOf(log, id)).length >= 1);
    const { pool } = first.db;
    for (const schema of slaProjections.map(schemaOf)) {
      const made = `select to_regnamespace('${schema}') is not null as "isMade"`;
      // The other clock may have fired first.
      await until(async () => (await pool.query(made)).rows[0].isMade);
      await pool.query(`drop schema ${schema} cascade`);
    }
    await stopLast();
    const second = started();
    await until(async () => (await slaEventsOf(log, id)).length === 2);
    expect(await slaEventsOf(log, id)).toEqual(all.slice(0, 2));
    expect(await second.stuck()).toEqual([]);
  });

  it('in the night warns and is breached in the morning, once', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, overdue));
    const one = started();
    for (const id of ids) await until(async () => (await slaEventsOf(log, id)).length === 4);
    await letPass(300, 'a timer that fires twice would have done so');
    for (const id of ids) {
      const events = await slaEventsOf(log, id);
      expect(events.filter((each) => each.endsWith('first_response'))).toEqual(all.slice(0, 2));
      expect(events.filter((each) => each.endsWith('resolution'))).toEqual(all.slice(2));
      expect(await recordedOf(log, id)).toHaveLength(5);
    }
    expect(await one.stuck()).toEqual([]);
  });

  it('of a ticket that was answered or closed meanwhile records nothing', async () => {
    const id = await overdue();
    await record(log, id, inMs(-19.5 * HOUR), [
      assigned('u1'),
      responded,
      moved('new', 'cancelled'),
    ]);
    const other = await overdue();
    const one = started();
    await until(async () => (await slaEventsOf(log, other)).length === 4);
    expect(await slaEventsOf(log, id)).toEqual([]);
    const left = async () => {
      const { rows } = await one.db.pool.query(
        `select ticket_id from ticket_sla_resolution_v1.clock
         union all select ticket_id from ticket_sla_first_response_v1.clock`,
      );
      return rows;
    };
    await expect.poll(left).toEqual([]);
  });

  describe('while processes are killed', () => {
    const CHILD = fileURLToPath(new URL('./sla-timers-child.ts', import.meta.url));
    const EFFECTS = new Set(['SlaWarningRaised', 'SlaClockBreached']);
    const child = (): ChildProcess => {
      const one = spawn(process.execPath, [CHILD, database.url], { stdio: 'ignore' });
      running.push(() => kill(one));
      return one;
    };
    const kill = async (one: ChildProcess) => {
      if (one.exitCode !== null || one.signalCode !== null) return;
      const ended = once(one, 'exit');
      one.kill('SIGKILL');
      await ended;
    };
    const effects = async () => {
      const events = await allEvents(log, { categories: ['ticket'] });
      return events.filter(({ type }) => EFFECTS.has(type)).length;
    };

    it('is recorded exactly once in the log', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 150; n += 1) ids.push(await overdue());
      const reached = async (count: number) => {
        await until(async () => (await effects()) >= count, `${count} effects`);
      };
      for (const seen of [1, 100, 250]) {
        const one = child();
        await reached(seen);
        await kill(one);
      }
      // It was in the middle of it.
      expect(await effects()).toBeLessThan(600);
      child();
      await reached(600);
      await letPass(300, 'a timer that fires twice would have done so');
      for (const id of ids) expect(await sorted(id)).toEqual([...all].sort());
    });
  });
});
