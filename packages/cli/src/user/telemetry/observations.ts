/** Values of a point: read, and one recorded. */
import type { components, operations } from '../../../../sdk/src/index.ts';
import { usageError } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime } from '../../terminal/text.ts';
import { nodeNamed } from '../buildings/nodes.ts';
import { given } from '../given.ts';
import { printList, type Columns, type LimitOptions } from '../list.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';
import { valueIn } from './values.ts';

type Schemas = components['schemas'];
type Row = Schemas['Sample'] | Schemas['SampleBucket'];
type Query = NonNullable<operations['listObservations']['parameters']['query']>;

interface GetOptions extends BuildingOption, LimitOptions {
  readonly from?: string;
  readonly to?: string;
  readonly bucket?: NonNullable<Query['bucket']>;
}

const SAMPLES: Columns<Row> = {
  at: ({ timestamp }) => localTime(timestamp),
  value: (row) => ('value' in row ? String(row.value) : null),
};

const ofBucket = (cell: (bucket: Schemas['SampleBucket']) => number) => (row: Row) =>
  'count' in row ? String(cell(row)) : null;

const BUCKETS: Columns<Row> = {
  from: ({ timestamp }) => localTime(timestamp),
  min: ofBucket(({ min }) => min),
  max: ofBucket(({ max }) => max),
  mean: ofBucket(({ mean }) => mean),
  count: ofBucket(({ count }) => count),
};

export const getObservations = async (invocation: Invocation<GetOptions>): Promise<void> => {
  const { words, options } = invocation;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const pointId = await nodeNamed(client, buildingId, 'point', words[0]!);
  const { from, to, bucket, limit } = options;
  const rows = client.items('/api/v1/buildings/{buildingId}/points/{pointId}/observations', {
    params: { path: { buildingId, pointId }, query: given({ from, to, bucket }) },
  });
  // The span bounds them already.
  const listing = limit === undefined ? { ...options, all: true as const } : options;
  const columns = bucket === undefined ? SAMPLES : BUCKETS;
  await printList({ ...invocation, options: listing }, rows, columns, 'There are no values.');
};

export const putObservation = async (
  invocation: Invocation<BuildingOption & { readonly at?: string }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const [word = '', text = ''] = words;
  const value = valueIn(text);
  if (value === null) throw usageError(`${text} is neither a number nor true or false`);
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const pointId = await nodeNamed(client, buildingId, 'point', word);
  const observation = { pointId, value, ...given({ timestamp: options.at }) };
  await client.POST('/api/v1/buildings/{buildingId}/observations', {
    params: { path: { buildingId } },
    body: { observations: [observation] },
  });
  terminal.print(observation, () => `Recorded ${value}.`);
};
