/** `atrium sandbox snapshot`, as somebody types it. contract.md section 4. */
import { expect, it } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { instantBuilder } from '../support/api/instant-builder.ts';
import { commandLine } from '../support/cli/command-line.ts';

const platform = testApi(() => ({ sandboxBuilder: instantBuilder() }));
const { as } = commandLine(platform);
const developer = (...words: readonly string[]) => as('developer@acme.test', 'sandbox', ...words);

it('a snapshot is made, listed, used by its name and deleted', async () => {
  const source = (await developer('create', '--name', 'Source', '--storeys', '1', '--wait')).json();
  const create = ['snapshot', 'create', 'Source', '--name', 'Filled', '--wait'];
  const made = await developer(...create);
  expect(made.code).toBe(0);
  const { snapshotId } = made.json() as Record<string, string>;
  expect(made.json()).toMatchObject({ status: 'ready', sandboxId: source['sandboxId'] });
  const listed = (await developer('snapshot', 'list')).json();
  expect(listed['items']).toMatchObject([{ snapshotId, name: 'Filled', status: 'ready' }]);

  const branch = await developer('create', '--name', 'Run', '--from-snapshot', 'Filled', '--wait');
  expect(branch.json()).toMatchObject({ status: 'ready', fromSnapshot: snapshotId });
  const shaped = ['create', '--name', 'Run', '--from-snapshot', snapshotId!, '--storeys', '2'];
  expect(await developer(...shaped)).toMatchObject({ code: 1, out: '' });

  expect(await developer('snapshot', 'delete', 'Filled')).toMatchObject({ code: 2, out: '' });
  const deleted = await developer('snapshot', 'delete', 'Filled', '--yes');
  expect(deleted.json()).toEqual({ snapshotId, deleted: true });
  const none = () => developer('create', '--name', 'Run', '--from-snapshot', 'Filled');
  // Until the list has followed, its name is found, and the snapshot is gone.
  await expect.poll(none).toMatchObject({ code: 1, err: expect.stringContaining('snapshot list') });
});

it('reports the reason of a failed snapshot', async () => {
  await developer('create', '--name', 'Other', '--storeys', '1', '--wait');
  const failed = await developer('snapshot', 'create', 'Other', '--name', 'fails', '--wait');
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('The disk is full.') });
});
