import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { keyUseCodec } from '../../../src/domain/keys/codecs.ts';
import { useFamily, useJournal } from '../../../src/domain/keys/journals.ts';
import { isShared } from '../../../src/domain/keys/shared-journals.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { postgresEventStore, prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { writtenIn, writtenVersions } from '../../../src/engine/log/written-versions.ts';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { keyUseLogContract } from '../../contract/key-use-log.contract.ts';
import { noon } from '../../support/domain/specify.ts';
import { keyIssued } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';
import { unsteadyChannel } from '../../support/log/unsteady-channel.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

keyUseLogContract('memory', async () => {
  const store = memoryEventStore();
  return { store, other: store, close: () => store.close() };
});

keyUseLogContract('a log with a channel', async () => {
  const store = memoryEventStore();
  const process = () =>
    logWith(store, { channel: unsteadyChannel({ log: store, chance: () => 0 }) });
  return { store: process(), other: process(), close: () => store.close() };
});

keyUseLogContract('Postgres', async () => {
  const database = await freshDatabase();
  await prepareLog(database.url);
  const [store, other] = [1, 2].map(() => postgresEventStore({ url: database.url }));
  return {
    store: store!,
    other: other!,
    async close() {
      await Promise.all([store!.close(), other!.close()]);
      await database.drop();
    },
  };
});

it('shares no journal until the versions are raised, for older releases', async () => {
  const memory = memoryEventStore();
  const versions = writtenVersions(memory, keyUseCodec.types);
  const channel = unsteadyChannel({ log: memory, chance: () => 0 });
  const log = writtenIn(logWith(memory, { channel }), versions);
  const uses = keyUseLog({ log, clock: clockAt(noon.at), versions });
  const { use } = await keyIssued(memory, 'acme', noon.at);
  const recorded = async () => {
    const used = { ...use(noon.at), id: randomUUID() };
    const guard = { stream: 'keyring-none', revision: null };
    const journal = useJournal('acme', noon.at);
    await uses.record({ journal, family: useFamily(noon.at), event: used, guard });
    const { events } = await memory.readAll(null, { categories: ['keyuse'], limit: 100 });
    const { stream, meta } = events.find(({ id }) => id === used.id)!;
    return [stream === journal, isShared(stream), meta['schema']];
  };
  expect(await recorded()).toEqual([true, false, '1']);
  await versions.raise(noon.by, noon.at);
  expect(await recorded()).toEqual([false, true, '2']);
});
