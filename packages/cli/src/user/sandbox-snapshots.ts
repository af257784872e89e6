/** `atrium sandbox snapshot …`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailed, interrupted } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { interruption } from '../terminal/interrupts.ts';
import { localTime, record } from '../terminal/text.ts';
import { underKey } from './given.ts';
import { oneNamed, type Kind } from './named.ts';
import { sandboxNamed } from './platform.ts';
import type { WaitingOptions } from './sandbox-waiting.ts';

type Snapshot = components['schemas']['Snapshot'];

const WAITED_S = 900;
const LOOK_MS = 1_000;

interface CreateOptions extends WaitingOptions {
  readonly name: string;
  readonly idempotencyKey?: string;
}

export const createSnapshot = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { sandboxId } = await sandboxNamed(client, invocation.words[0]!);
  const { data: created } = await client.POST('/api/v1/sandboxes/{id}/snapshots', {
    params: { path: { id: sandboxId } },
    body: { name: options.name },
    ...underKey(options.idempotencyKey),
  });
  const shown = options.wait ? await whenMade(client, created, invocation) : created;
  terminal.print(shown, () => described(shown));
  if (shown.status === 'ready')
    terminal.notice(`\nUse it: atrium sandbox create --name … --from-snapshot ${shown.snapshotId}`);
};

/**
 * The snapshot once it is ready.
 *
 * @throws {@link CommandFailed} if it has failed; with the exit code 3 where it takes too long, and
 *   with 130 at Ctrl-C, while it goes on to be made.
 */
const whenMade = async (
  client: Atrium,
  { snapshotId, name }: Snapshot,
  { options: { timeout = WAITED_S }, terminal }: Invocation<CreateOptions>,
): Promise<Snapshot> => {
  const progress = await terminal.progress(`Copying into ${name}`);
  const stopped = interruption();
  const deadline = performance.now() + timeout * 1_000;
  try {
    for (;;) {
      const params = { path: { snapshotId } };
      const { data } = await client.GET('/api/v1/snapshots/{snapshotId}', {
        params,
        signal: stopped.signal,
      });
      if (data.status === 'ready') return data;
      if (data.status === 'failed') throw new CommandFailed(data.failureReason ?? 'It has failed.');
      if (performance.now() > deadline)
        throw new CommandFailed(
          `${snapshotId} is still being created; see: atrium sandbox snapshot list`,
          undefined,
          exitCodes.stillProvisioning,
        );
      await sleep(LOOK_MS, undefined, { signal: stopped.signal });
    }
  } catch (error) {
    const signal = stopped.by();
    if (signal === null) throw error;
    throw interrupted('it is still being created; see: atrium sandbox snapshot list', signal);
  } finally {
    stopped.release();
    progress.end();
  }
};

export const listSnapshots = async (invocation: Invocation): Promise<void> => {
  const { client } = await atriumOf(invocation);
  const { data } = await client.GET('/api/v1/snapshots');
  await invocation.terminal.printTable(data, {
    head: ['id', 'name', 'status', 'MB', 'sandbox', 'ends'],
    rows: data.items.map(({ snapshotId, name, status, bytes, sandboxId, expiresAt }) => [
      snapshotId,
      name,
      status,
      megabytes(bytes),
      sandboxId,
      localTime(expiresAt),
    ]),
    empty:
      'You have no snapshots. Create one: atrium sandbox snapshot create <sandbox> --name ' +
      'Filled',
  });
};

export const deleteSnapshot = async (
  invocation: Invocation<{ readonly yes?: true }>,
): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await atriumOf(invocation);
  const { snapshotId, name } = await snapshotNamed(client, invocation.words[0]!);
  if (!options.yes) await terminal.confirm(`Delete the snapshot ${name} (${snapshotId})?`);
  await client.DELETE('/api/v1/snapshots/{snapshotId}', { params: { path: { snapshotId } } });
  terminal.print({ snapshotId, deleted: true }, () => `Deleted ${name} (${snapshotId}).`);
};

const SNAPSHOTS: Kind<Snapshot> = {
  one: 'snapshot',
  many: 'snapshots',
  list: 'atrium sandbox snapshot list',
  names: ({ name }) => [name],
  label: ({ name, snapshotId }) => `${name} (${snapshotId})`,
};

/**
 * The snapshot of this id or name.
 *
 * @throws {@link CommandFailed} if there is none, or if several have this name: they are listed.
 */
export const snapshotNamed = async (
  client: Atrium,
  word: string,
): Promise<Pick<Snapshot, 'snapshotId' | 'name'>> => {
  if (/^snp_\w{20}$/.test(word)) {
    const params = { path: { snapshotId: word } };
    return (await client.GET('/api/v1/snapshots/{snapshotId}', { params })).data;
  }
  return oneNamed(word, (await client.GET('/api/v1/snapshots')).data.items, SNAPSHOTS);
};

const described = (snapshot: Snapshot): string =>
  record({
    id: snapshot.snapshotId,
    name: snapshot.name,
    status: snapshot.status,
    failure: snapshot.failureReason,
    size: snapshot.bytes === null ? null : `${megabytes(snapshot.bytes)} MB`,
    sandbox: snapshot.sandboxId,
    ends: localTime(snapshot.expiresAt),
  });

const megabytes = (bytes: number | null): string =>
  bytes === null ? '' : (bytes / 1_000_000).toFixed(1);
