/** The readings of a point in buckets, some hundred per chart. */
import type { Api } from '../../session/requests.ts';
import { DAY_MS, HOUR_MS, type Bucket, type Span } from './time-scale.ts';

/** Bucket sizes, and the longest span that each is used for. */
const STEPS = [
  ['1m', 60_000, 6 * HOUR_MS],
  ['15m', 15 * 60_000, 8 * DAY_MS],
  ['1h', HOUR_MS, 62 * DAY_MS],
  ['1d', DAY_MS, Infinity],
] as const;

const stepOf = (ms: number) => STEPS.find(([, , max]) => ms <= max)!;

/** The length of a span's buckets, in milliseconds. */
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
  for await (const bucket of api.items(path, { params, signal })) buckets.push(bucket as Bucket);
  return buckets;
};
