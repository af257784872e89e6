/** Reports computed from the log in the plainest way, by the dates of a wall clock. */
import type { ReportInterval } from '../../../src/domain/reports/intervals.ts';
import type { ReportName } from '../../../src/domain/reports/reports.ts';
import type { TicketFact } from '../../../src/domain/tickets/events.ts';
import { isWorkOver } from '../../../src/domain/tickets/sla.ts';
import type { Fact } from '../tickets/ticket-tables.ts';

const open = ['new', 'triaged', 'in_progress', 'waiting', 'reopened'];

type Of = (
  history: readonly Fact[],
) => readonly (readonly [what: string, at: string, ms: number])[];

/** The counted events of a ticket's history: group and time per report. */
const counted: Readonly<Record<Exclude<ReportName, 'backlog'>, Of>> = {
  throughput: (history) => [
    ['created', history[0]!.at, 0],
    ...entering(history, 'resolved').map(({ at }) => ['resolved', at, 0] as const),
  ],
  reopened: (history) =>
    (['resolved', 'reopened'] as const).flatMap((state) =>
      entering(history, state).map(({ at }) => [state, at, 0] as const),
    ),
  response: (history) =>
    first(history, ({ event }) => event.type === 'FirstResponseMade').map(({ at, index }) => [
      resultAt(history, 'first_response', index),
      at,
      Date.parse(at) - Date.parse(history[0]!.at),
    ]),
  resolution: (history) =>
    entering(history, 'resolved').map(({ at, index }) => [
      resultAt(history, 'resolution', index),
      at,
      Date.parse(at) - Date.parse(history[0]!.at),
    ]),
  attainment: (history) => [
    ...history.flatMap(({ event }, index) =>
      event.type === 'SlaClockBreached'
        ? [[`${event.clock} missed`, missedAt(event, history.slice(0, index)), 0] as const]
        : [],
    ),
    ...first(
      history,
      ({ event }) =>
        event.type === 'FirstResponseMade' ||
        (event.type === 'TicketTransitioned' && isWorkOver(event.to)),
    ).flatMap(({ at, index, event }) => {
      const cancels = event.type === 'TicketTransitioned' && event.to === 'cancelled';
      const isMet = !cancels && resultAt(history, 'first_response', index) === 'met';
      return isMet ? [['first_response met', at, 0] as const] : [];
    }),
    ...entering(history, 'resolved').flatMap(({ at, index }) =>
      resultAt(history, 'resolution', index) === 'met' ? [['resolution met', at, 0] as const] : [],
    ),
  ],
};

/** A clock that ended in time misses its target with the reopening after it. */
const missedAt = (
  { clock, dueAt }: TicketFact<'SlaClockBreached'>,
  before: readonly Fact[],
): string => {
  const reopened = entering(before, 'reopened').at(-1)?.at ?? '';
  return clock === 'resolution' && reopened > dueAt ? reopened : dueAt;
};

const indexed = (history: readonly Fact[]) => history.map((fact, index) => ({ ...fact, index }));

const entering = (history: readonly Fact[], state: string) =>
  indexed(history).filter(({ event }) => event.type === 'TicketTransitioned' && event.to === state);

const first = (history: readonly Fact[], is: (fact: Fact) => boolean) =>
  indexed(history).filter(is).slice(0, 1);

/** Of a clock that ends with the fact of this index. */
const resultAt = (history: readonly Fact[], clock: string, index: number): string => {
  const opening = history[0]!.event;
  if (opening.type !== 'TicketOpened') throw new Error('a history begins with the opening');
  const { slaFirstResponseDueAt, slaResolutionDueAt } = opening;
  if ((clock === 'resolution' ? slaResolutionDueAt : slaFirstResponseDueAt) === null) return 'free';
  const isBreach = ({ event }: Fact) => event.type === 'SlaClockBreached' && event.clock === clock;
  return history.slice(0, index).some(isBreach) ? 'missed' : 'met';
};

export const dateIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));

const shareOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** The smallest value that is not smaller than this share of the values. */
const percentile = (sorted: readonly number[], share: number) => {
  const value = sorted[Math.ceil(sorted.length * share) - 1];
  return value === undefined ? null : Math.round(value / 6_000) / 10;
};

/** The values of the intervals over these tickets. */
export const expectedValues = (
  report: ReportName,
  histories: readonly (readonly Fact[])[],
  intervals: readonly ReportInterval[],
  timeZone: string,
): readonly object[] =>
  intervals.map(({ from, to }) => {
    if (report === 'backlog') {
      const states = histories.flatMap((history) => {
        const past = history.filter(({ at }) => dateIn(timeZone, at) <= to);
        const states = past.flatMap(({ event }) =>
          event.type === 'TicketOpened'
            ? ['new']
            : event.type === 'TicketTransitioned'
              ? [event.to]
              : [],
        );
        return states.slice(-1).filter((state) => open.includes(state));
      });
      const numbers = open.map((name) => [name, states.filter((state) => state === name).length]);
      return { ...Object.fromEntries(numbers), total: states.length };
    }
    const inside = histories.flatMap(counted[report]).filter(([, at]) => {
      const date = dateIn(timeZone, at);
      return from <= date && date <= to;
    });
    const n = (name: string) => inside.filter(([what]) => what === name).length;
    const inTime = (prefix: string) => {
      const [met, missed] = [n(`${prefix}met`), n(`${prefix}missed`)];
      return { met, missed, share: shareOf(met, met + missed) };
    };
    switch (report) {
      case 'throughput':
        return { created: n('created'), resolved: n('resolved') };
      case 'reopened':
        return {
          reopened: n('reopened'),
          resolved: n('resolved'),
          rate: shareOf(n('reopened'), n('resolved')),
        };
      case 'attainment':
        return { firstResponse: inTime('first_response '), resolution: inTime('resolution ') };
      case 'response':
      case 'resolution': {
        const sorted = inside.map(([, , ms]) => ms).sort((a, b) => a - b);
        return {
          count: sorted.length,
          medianMinutes: percentile(sorted, 0.5),
          p90Minutes: percentile(sorted, 0.9),
          ...inTime(''),
        };
      }
    }
  });
