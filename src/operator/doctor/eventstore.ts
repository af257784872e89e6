import type { EventStore } from '../../engine/log/event-store.ts';
import type { ScavengeState } from '../../engine/log/eventstoredb/server-state.ts';
import { nowMs } from '../conditions/clocks.ts';
import { eventStoreCondition } from '../conditions/eventstore.ts';
import { hasLeader, type EventStoreCondition } from '../conditions/eventstore-condition.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { SCAVENGE_AGE_MAX_DAYS } from '../limits.ts';
import { graded, type Finding } from './check.ts';
import { isFull, saidOfSpace } from './machine.ts';

/** Health, disk and scavenges of every server of the log in EventStoreDB. */
export const eventStoreFinding = async (
  url: string,
  log: Pick<EventStore, 'readAll'>,
): Promise<Finding> => judgedServers(await eventStoreCondition(url, log));

export const judgedServers = (found: EventStoreCondition): Finding => {
  const { servers, scavenge, since } = found;
  const down = servers.filter(({ isAlive }) => !isAlive);
  const full = servers.filter(({ disk }) => disk !== null && isFull(disk));
  const { isOverdue, detail } = scavenged(scavenge, since);
  return graded({
    wrong: [
      ...(hasLeader(servers) ? [] : ['no server leads']),
      ...full.map(({ place, disk }) => `${place}: only ${saidOfSpace(disk!)}`),
    ],
    soon: [
      ...down.map(({ place }) => `${place} is not alive`),
      ...(isOverdue ? [detail] : []),
      ...(scavenge?.failure ? [`the last scavenge has failed: ${scavenge.failure}`] : []),
    ],
    detail: [
      ...servers.map(
        ({ place, state, disk }) => `${place}: ${state}${disk ? `, ${saidOfSpace(disk)}` : ''}`,
      ),
      detail,
    ].join('; '),
  });
};

const scavenged = (
  scavenge: ScavengeState | null,
  since: string | null,
): { readonly isOverdue: boolean; readonly detail: string } => {
  if (scavenge === null)
    return { isOverdue: false, detail: 'scavenges: the login may not see them' };
  const { succeededAt } = scavenge;
  const from = succeededAt ?? since;
  const days = from === null ? 0 : (nowMs() - Date.parse(from)) / DAY_MS;
  const detail =
    succeededAt === null
      ? `never scavenged${since === null ? '' : ` in ${Math.floor(days)} days`}`
      : `scavenged ${Math.floor(days)} days ago`;
  return { isOverdue: days > SCAVENGE_AGE_MAX_DAYS, detail };
};
