/** Rules and samples that open as many faults as they may, in one building. */
import { until } from '../until.ts';
import type { MeasuredServer } from './server.ts';

interface Storm {
  /** Diagnostic rules of the one point. */
  readonly rules: number;
  /** Of each ingest: every second one is above every threshold. */
  readonly samples: number;
  readonly ingests: number;
  /** Between two samples, in data time. */
  readonly everyMs: number;
}

interface StormOutcome {
  readonly status: number;
  readonly faults: number;
  /** Openings that the faults which flap stand for. */
  readonly flapped: number;
  /** From the last ingest's answer until all of it was evaluated. */
  readonly evaluatedMs: number;
}

const STORM_MAX_MS = 600_000;
/** Of a rule and a point in an hour. */
const FAULTS_AN_HOUR_MAX = 12;
const HOUR_MS = 3_600_000;

/** Makes a building, has it watched, sends the samples and waits until rules have seen them all. */
export const faultStorm = async (
  server: Pick<MeasuredServer, 'url'>,
  token: string,
  { rules, samples, ingests, everyMs }: Storm,
): Promise<StormOutcome> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${server.url}/api/v1/buildings${path}`, sent);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
    return { status: answer.status, body: JSON.parse(text) };
  };
  const { buildingId } = (await call('/import', stormBuilding)).body;
  const pointId = (await call(`/${buildingId}/points`)).body.items[0].id;
  const rule = { title: 'Hot', severity: 'high', comparison: 'gt', threshold: 2_500, pointId };
  for (let made = 0; made < rules; made += 1) await call(`/${buildingId}/diagnostic-rules`, rule);

  const all = samples * ingests;
  const startMs = Date.now() - all * everyMs;
  let status = 0;
  for (let ingest = 0; ingest < ingests; ingest += 1) {
    const observations = Array.from({ length: samples }, (_, index) => {
      const at = ingest * samples + index;
      const timestamp = new Date(startMs + at * everyMs).toISOString();
      return { pointId, value: at % 2 === 0 ? -5 : 3_000, timestamp };
    });
    ({ status } = await call(`/${buildingId}/observations`, { observations }));
  }
  const began = performance.now();
  const openings = Math.floor(all / 2);
  const isFlapping = everyMs * 2 * FAULTS_AN_HOUR_MAX < HOUR_MS;
  const [faults, flapped] = isFlapping
    ? [FAULTS_AN_HOUR_MAX, openings - FAULTS_AN_HOUR_MAX]
    : [openings, 0];
  const isEvaluated = async () => {
    const { items, total } = (await call(`/${buildingId}/faults?limit=1`)).body;
    return total === rules * faults && (items[0]?.flapCount ?? 0) === flapped;
  };
  await until(isEvaluated, 'the last fault of a storm', { maxMs: STORM_MAX_MS, everyMs: 250 });
  const evaluatedMs = performance.now() - began;
  return { status, faults: rules * faults, flapped: rules * flapped, evaluatedMs };
};

const stormBuilding = {
  site: { code: 'S', name: 'Storm' },
  building: {
    code: 'STORM',
    name: 'Storm',
    storeys: [
      {
        code: '00',
        name: 'Ground floor',
        level: 0,
        elements: [
          {
            code: 'AHU',
            name: 'Air handling unit',
            elementTypeSlug: 'ahu',
            points: [
              { code: 'P', name: 'Pressure', pointClass: 'Pressure_Sensor', valueType: 'number' },
            ],
          },
        ],
      },
    ],
  },
};
