import type { FollowChangedNodes, Follower, FollowReplacedNodes } from '../graph/followers.ts';
import { closeUnwatchedFaults, UNWATCHED } from './fault-rows.ts';

/**
 * Moves each series to the point that replaced its own, with samples, latest value, rules and
 * faults. The series of a removed point is orphaned; its samples are deleted later, because there
 * may be millions.
 */
export const followPoints: FollowReplacedNodes = async (client, buildingId) => {
  await client.query(
    `update telemetry.series set point_id = replaced.successor_id
     from pg_temp.replaced_node replaced
     where series.building_id = $1 and series.point_id = replaced.id
       and replaced.successor_id is not null`,
    [buildingId],
  );
  const { rows } = await client.query<{ histories: number; rules: number }>(
    `with gone as (
       select series.id from telemetry.series
       join pg_temp.replaced_node replaced on replaced.id = series.point_id
       where series.building_id = $1 and replaced.successor_id is null
     ), noted as (
       insert into telemetry.gone_series (id) select id from gone
     ), unknown as (
       delete from telemetry.latest using gone where series_id = gone.id
     ), deleted as (
       delete from telemetry.series using gone where series.id = gone.id
     )
     select (select count(*)::int from telemetry.latest join gone on gone.id = series_id)
              as histories,
            (select count(*)::int from telemetry.rule join gone on gone.id = series_id) as rules`,
    [buildingId],
  );
  return { ...rows[0]! };
};

/**
 * Ends the breaches and faults of points that have left the class of their rule. The import holds
 * the building's lock, so that no evaluation runs meanwhile.
 */
export const endUnwatched: FollowChangedNodes = async (client, buildingId, occasion) => {
  await client.query(`delete from telemetry.breach where (rule_id, series_id) in (${UNWATCHED})`, [
    buildingId,
  ]);
  await closeUnwatchedFaults(client, buildingId, occasion);
};

export const observedPoints: Follower['observed'] = async (client, buildingId) => {
  const { rows } = await client.query<{ readonly pointId: string }>(
    `select point_id as "pointId" from telemetry.series
     join telemetry.latest on latest.series_id = series.id
     where series.building_id = $1`,
    [buildingId],
  );
  return rows.map(({ pointId }) => pointId);
};
