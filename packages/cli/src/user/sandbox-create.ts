/** `atrium sandbox create`. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { given, underKey } from './given.ts';
import { whenReady, type WaitingOptions } from './sandbox-waiting.ts';
import { snapshotNamed } from './sandbox-snapshots.ts';
import { described } from './sandboxes.ts';

type NewSandbox = components['schemas']['NewSandbox'];

type FaultKind = NonNullable<NewSandbox['faultKinds']>[number];

interface CreateOptions extends WaitingOptions {
  readonly name: string;
  readonly type?: NewSandbox['buildingType'];
  readonly storeys?: number;
  readonly area?: number;
  readonly ttlDays?: number;
  readonly telemetryDays?: number;
  readonly spacesMin?: number;
  readonly spacesMax?: number;
  readonly density?: NewSandbox['equipmentDensity'];
  readonly occupancy?: NewSandbox['occupancyProfile'];
  readonly seed?: string;
  readonly liveTelemetry: boolean;
  readonly timeZone?: string;
  readonly faultKinds?: readonly (FaultKind | 'none')[];
  readonly fromSnapshot?: string;
  readonly idempotencyKey?: string;
}

export const createSandbox = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { data: created } = await client.POST('/api/v1/sandboxes', {
    body: bodyOf(options, await snapshotIn(client, options)),
    ...underKey(options.idempotencyKey),
  });
  const shown = options.wait ? await whenReady(client, created.sandboxId, invocation) : created;
  terminal.print(shown, () => described(shown));
  if (shown.status === 'ready')
    terminal.notice(`\nTry it: atrium tickets list --sandbox ${shown.slug}`);
};

const snapshotIn = async (client: Atrium, { fromSnapshot }: CreateOptions) =>
  fromSnapshot === undefined ? undefined : (await snapshotNamed(client, fromSnapshot)).snapshotId;

const bodyOf = (options: CreateOptions, fromSnapshot: string | undefined): NewSandbox => {
  const { name, storeys, ttlDays, spacesMin, spacesMax, seed } = options;
  return {
    name,
    ...given({
      buildingType: options.type,
      storeys,
      areaSqm: options.area,
      ttlDays,
      seedTelemetryDays: options.telemetryDays,
      spacesMin,
      spacesMax,
      equipmentDensity: options.density,
      occupancyProfile: options.occupancy,
      seed,
      liveTelemetry: options.liveTelemetry ? undefined : false,
      timeZone: options.timeZone,
      faultKinds: options.faultKinds?.filter((kind) => kind !== 'none'),
      fromSnapshot,
    }),
  };
};
