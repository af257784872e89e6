/** The readings of a point, in steps of which a chart has some hundred. */
import type { Api } from '../../session/requests.ts';
import { DAY_MS, HOUR_MS, type Bucket, type Span } from './time-scale.ts';

/** The coarsest that shows a span, by the length up to which it is taken. */
const STEPS = [
  ['1m', 60_000, 6 * HOUR_MS],
  ['15m', 15 * 60_000, 8 * DAY_MS],
  ['1h', HOUR_MS, 62 * DAY_MS],
  ['1d', DAY_MS, Infinity],
] as const;

const stepOf = (ms: number) => STEPS.find(([, , max]) => ms <= max)!;

/** Between two buckets of a span, in milliseconds. */
export const bucketMs = ({ from, to }: Span): number => stepOf(to - from)[1];

/** Buckets that have readings, oldest first. */
export const loadBuckets = async (
  api: Api,
  { buildingId, pointId }: { readonly buildingId: string; readonly pointId: string },
  { from, to }: Span,
  signal: AbortSignal,
): Promise<readonly Bucket[]> => {
  const [bucket] = stepOf(to - from);
  const [first, last] = [from, to].map((at) => new Date(at).toISOString());
  const query = { from: first!, to: last!, bucket };
  const params = { path: { buildingId, pointId }, query };
  const path = '/api/v1/buildings/{buildingId}/points/{pointId}/observations';
  const buckets: Bucket[] = [];
  for await (const one of api.items(path, { params, signal })) buckets.push(one as Bucket);
  return buckets;
};
