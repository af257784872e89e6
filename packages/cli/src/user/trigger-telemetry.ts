/** Events of points and faults, by values that are ingested. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import { awaited, type Awaiting } from './awaited.ts';
import { buildingOf } from './platform.ts';
import type { Deed, Scene } from './trigger.ts';

type Point = components['schemas']['Point'];
type Rule = components['schemas']['DiagnosticRule'];
type Fault = components['schemas']['Fault'];

/** One for each point, so that an event that is triggered again changes no other rule. */
const RULE_TITLE = 'Triggered by hand';
/** From the value that a point has when its rule is made. */
const THRESHOLD_ABOVE = 50;
const LOOK_MS = 250;
const FAULT_WAIT_MAX_MS = 60_000;

export const updatePoint = async (scene: Scene): Promise<Deed> => {
  const { buildingId, point } = await placeOf(scene);
  const value = numberOf(point) + 1;
  await ingest(scene.client, buildingId, point.id, value);
  return {
    value: { buildingId, pointId: point.id, value },
    words: `${point.name} (${point.id}) has the value ${value}.`,
  };
};

export const openFault = async (scene: Scene): Promise<Deed> => {
  const { client } = scene;
  const { buildingId, point } = await placeOf(scene);
  const rule = await ruleFor(client, buildingId, point);
  const before = new Set((await faultsOf(client, buildingId, rule)).map(({ faultId }) => faultId));
  // A fault that is open still would open no other.
  await ingest(client, buildingId, point.id, rule.threshold - THRESHOLD_ABOVE);
  await closed(client, buildingId, rule);
  const value = rule.threshold + 1;
  await ingest(client, buildingId, point.id, value);
  const { faultId } = await opened(client, buildingId, rule, before);
  return {
    value: { buildingId, pointId: point.id, ruleId: rule.ruleId, value, faultId },
    words: `${point.name} (${point.id}) has the value ${value}, and fault ${faultId} is open.`,
  };
};

const placeOf = async ({ client, building, point: named }: Scene) => {
  const buildingId = await buildingOf(client, building);
  if (named !== undefined) {
    const path = { buildingId, pointId: named };
    const { data: point } = await client.GET('/api/v1/buildings/{buildingId}/points/{pointId}', {
      params: { path },
    });
    if (point.valueType !== 'number') throw new CommandFailed(`${named} has no numbers`);
    return { buildingId, point };
  }
  const params = { path: { buildingId } };
  for await (const point of client.items('/api/v1/buildings/{buildingId}/points', { params }))
    if (point.valueType === 'number') return { buildingId, point };
  throw new CommandFailed('the building has no point with numbers');
};

const numberOf = ({ latest }: Point): number =>
  typeof latest?.value === 'number' ? latest.value : 0;

const ingest = async (client: Atrium, buildingId: string, pointId: string, value: number) => {
  await client.POST('/api/v1/buildings/{buildingId}/observations', {
    params: { path: { buildingId } },
    body: { observations: [{ pointId, value }] },
  });
};

const ruleFor = async (client: Atrium, buildingId: string, point: Point): Promise<Rule> => {
  const params = { path: { buildingId } };
  const path = '/api/v1/buildings/{buildingId}/diagnostic-rules';
  const { data } = await client.GET(path, { params });
  const made = data.items.find(
    ({ title, pointId }) => title === RULE_TITLE && pointId === point.id,
  );
  if (made) return made;
  const { data: rule } = await client.POST(path, {
    params,
    body: {
      title: RULE_TITLE,
      severity: 'high',
      pointId: point.id,
      comparison: 'gt',
      threshold: numberOf(point) + THRESHOLD_ABOVE,
    },
  });
  return rule;
};

const faultsOf = async (
  client: Atrium,
  buildingId: string,
  { ruleId }: Rule,
  query: { readonly open?: boolean } = {},
): Promise<readonly Fault[]> => {
  const params = { path: { buildingId }, query };
  const faults: Fault[] = [];
  for await (const fault of client.items('/api/v1/buildings/{buildingId}/faults', { params }))
    if (fault.ruleId === ruleId) faults.push(fault);
  return faults;
};

const closed = (client: Atrium, buildingId: string, rule: Rule): Promise<true> =>
  awaited(async () => {
    const open = await faultsOf(client, buildingId, rule, { open: true });
    return open.length === 0 ? true : null;
  }, within('the open fault to close'));

const opened = (
  client: Atrium,
  buildingId: string,
  rule: Rule,
  before: ReadonlySet<string>,
): Promise<Fault> =>
  awaited(async () => {
    // One that has closed again meanwhile, by a value of the building's own, has been open.
    const faults = await faultsOf(client, buildingId, rule);
    return faults.find(({ faultId }) => !before.has(faultId)) ?? null;
  }, within('a fault'));

/** It takes too long for a rule that flaps. */
const within = (what: string): Awaiting => ({
  everyMs: LOOK_MS,
  withinMs: FAULT_WAIT_MAX_MS,
  late: `waited ${FAULT_WAIT_MAX_MS / 1_000} s for ${what}; a rule opens 12 for a point in an hour`,
});
