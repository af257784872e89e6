/**
 * The SQL of each report over `t`, a row of the history. `rows` selects the counted occurrences
 * `o`, each with its time `at`; `cells` are aggregates of them.
 */
import type { ReportName } from '../../../domain/reports/reports.ts';
import { ticketStates } from '../../../domain/tickets/graph.ts';
import { isWorkOver } from '../../../domain/tickets/sla.ts';

export interface Source {
  readonly rows: string;
  /** Member → aggregate. */
  readonly cells: Readonly<Record<string, string>>;
  /** The share of a group in the report, by which groups are ranked. */
  readonly weight: string;
}

/** The states with pending work, which are the backlog. */
export const openStates = ticketStates.filter((state) => !isWorkOver(state));

/** `unnest` in the target list is cheaper than as a function scan for each row. */
const ENTERED = '(select unnest(t.states) as state, unnest(t.since) as at) as s';

const durations = {
  count: 'count(*)',
  percentiles: `percentile_disc(array[0.5, 0.9])
    within group (order by o.at - t.created_at)`,
  met: 'count(*) filter (where o.is_met)',
  missed: 'count(*) filter (where not o.is_met)',
};

/** The resolution clock is in time at `s.at`. A miss after a reopening is later. */
const RESOLVED_IN_TIME = '(t.resolution_missed_at is null or t.resolution_missed_at > s.at)';

export const sources: Readonly<Record<ReportName, Source>> = {
  /** Changes of the numbers of open tickets; {@link openAt} counts the initial ones. */
  backlog: {
    rows: `select s.state, s.previous, s.at
           from (select unnest(t.states) as state, unnest(t.since) as at,
             unnest(array_prepend(null, t.states)) as previous) as s
           where s.at is not null`,
    cells: Object.fromEntries(
      openStates.map((state) => [
        state,
        `sum((o.state = '${state}')::integer
           - (o.previous is not distinct from '${state}')::integer)`,
      ]),
    ),
    weight: `count(*) filter (where o.previous is null)`,
  },
  throughput: {
    rows: `select s.state, s.at from ${ENTERED} where s.state in ('new', 'resolved')`,
    cells: {
      created: `count(*) filter (where o.state = 'new')`,
      resolved: `count(*) filter (where o.state = 'resolved')`,
    },
    weight: 'count(*)',
  },
  response: {
    rows: `select t.responded_at as at,
             case when t.has_first_response_clock
               then t.first_response_missed_at is null end as is_met
           where t.responded_at is not null`,
    cells: durations,
    weight: 'count(*)',
  },
  resolution: {
    rows: `select s.at, case when t.has_resolution_clock then ${RESOLVED_IN_TIME} end as is_met
           from ${ENTERED} where s.state = 'resolved'`,
    cells: durations,
    weight: 'count(*)',
  },
  attainment: {
    rows: `select * from (values
             ('first_response', true, t.first_response_met_at),
             ('first_response', false, t.first_response_missed_at),
             ('resolution', false, t.resolution_missed_at)
           ) as c (clock, is_met, at) where c.at is not null
           union all
           select 'resolution', true, s.at from ${ENTERED}
           where s.state = 'resolved' and t.has_resolution_clock and ${RESOLVED_IN_TIME}`,
    cells: {
      firstResponseMet: `count(*) filter (where o.clock = 'first_response' and o.is_met)`,
      firstResponseMissed: `count(*) filter (where o.clock = 'first_response' and not o.is_met)`,
      resolutionMet: `count(*) filter (where o.clock = 'resolution' and o.is_met)`,
      resolutionMissed: `count(*) filter (where o.clock = 'resolution' and not o.is_met)`,
    },
    weight: 'count(*)',
  },
  reopened: {
    rows: `select s.state, s.at from ${ENTERED} where s.state in ('resolved', 'reopened')`,
    cells: {
      reopened: `count(*) filter (where o.state = 'reopened')`,
      resolved: `count(*) filter (where o.state = 'resolved')`,
    },
    weight: 'count(*)',
  },
};

/**
 * The state of an open ticket at a time, for the tickets of {@link WAS_OPEN}; `o` as above.
 *
 * @param moment A placeholder of a double.
 */
export const openAt = (moment: string): Source => ({
  rows: `select t.states[width_bucket(${moment}, t.since)] as state`,
  cells: Object.fromEntries(
    openStates.map((state) => [state, `count(*) filter (where o.state = '${state}')`]),
  ),
  weight: `count(*) filter (where o.state in (${openStates.map((s) => `'${s}'`).join(', ')}))`,
});
