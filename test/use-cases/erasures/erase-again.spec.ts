/** The list of erasures, given again on a log and a database that are older than it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listEntryOf, type ListEntry } from '../../../src/domain/erasures/list-entry.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { FilesUnavailable, type FileStore } from '../../../src/files/file-store.ts';
import { countUndone, eraseAgain } from '../../../src/use-cases/erasures/erase-again.ts';
import {
  erasureListIn,
  type UnreadableEntry,
} from '../../../src/use-cases/erasures/erasure-list.ts';
import { erasuresIn } from '../../../src/use-cases/erasures/erasures.ts';
import { changeEntry, listedFiles, newerEntry, unexpected } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';

const directory = temporaryFiles();
let stores = 0;

/** An installation: its list, its log, and its keys by their ids. */
const installation = () => {
  const log = memoryEventStore();
  const keys = new Map<string, string | null>();
  const erased: string[] = [];
  const root = directory.path(`store-${(stores += 1)}`);
  const parts = {
    list: erasureListIn(directoryStores(root).of('erasures')),
    onUnreadable: unexpected,
    erasures: erasuresIn(log),
    keys: {
      held: async (ids: readonly string[]) =>
        ids.flatMap((keyId) => (keys.has(keyId) ? [{ keyId, subject: keys.get(keyId)! }] : [])),
      destroy: async (ids: readonly string[]) => ids.forEach((id) => keys.delete(id)),
      unlink: async (ids: readonly string[]) =>
        ids.forEach((id) => keys.has(id) && keys.set(id, null)),
    },
    accounts: {
      erase: async (_: string, ids: readonly string[]) => void erased.push(...ids),
    },
    now: () => '2026-05-01T00:00:00.000Z',
  };
  const requested = async (erasureId: string) =>
    (await log.readStream(`erasure-${erasureId}`))
      .filter(({ type }) => type === 'ErasureRequested')
      .map(({ data }) => data);
  const finished = async (erasureId: string) => {
    const found = { tickets: 0, notes: 0, attachments: 0, sessions: 0 };
    const { requests } = (await parts.erasures.look(erasureId))!.view;
    await parts.erasures.give(
      erasureId,
      {
        commandId: randomUUID(),
        organisation: 'acme',
        command: { type: 'FinishErasure', requests, found },
      },
      { at: parts.now(), by: { kind: 'system', id: 'test' }, origin: 'system' },
    );
  };
  return { parts, root, keys, erased, requested, finished };
};

const requestOf = (over: Partial<ListEntry> = {}) => ({
  type: 'ErasureRequested' as const,
  erasureId: randomUUID(),
  organisation: 'acme',
  identityKeys: [randomUUID(), randomUUID()],
  textKeys: [randomUUID()],
  texts: 'erase' as const,
  reason: 'A letter of Zyx.',
  sessions: 3,
  ...over,
});

describe('the list of erasures', () => {
  it('has each request once, without its reason', async () => {
    const { parts } = installation();
    const request = requestOf();
    for (let n = 0; n < 2; n += 1) await parts.list.add(listEntryOf(request));
    const entries = await Array.fromAsync(parts.list.all(unexpected));
    expect(entries).toEqual([listEntryOf(request)]);
    expect(JSON.stringify(entries)).not.toContain('Zyx');
  });
});

const madeDirectory = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};

describe('a repeated erasure', () => {
  it('is requested where the log lacks it, and destroys remaining keys', async () => {
    const { parts, keys, erased, requested } = installation();
    const request = requestOf();
    await parts.list.add(listEntryOf(request));
    keys.set(request.identityKeys[0]!, 'user:zyx').set(request.textKeys[0]!, 'user:zyx');
    keys.set('another', 'user:another');
    expect(await countUndone(parts)).toBe(1);
    expect(await eraseAgain(parts)).toBe(1);
    expect([...keys.keys()]).toEqual(['another']);
    expect(erased).toEqual(['zyx']);
    expect(await requested(request.erasureId)).toMatchObject([
      { identityKeys: request.identityKeys.toSorted(), texts: 'erase', sessions: 0 },
    ]);
    expect(await countUndone(parts)).toBe(0);
    expect(await eraseAgain(parts)).toBe(0);
    expect(await requested(request.erasureId)).toHaveLength(1);
  });

  it('is requested once more where keys that it destroyed are back', async () => {
    const { parts, keys, requested, finished } = installation();
    const request = requestOf();
    await parts.list.add(listEntryOf(request));
    await eraseAgain(parts);
    await finished(request.erasureId);
    expect(await eraseAgain(parts)).toBe(0);
    for (const repeated of [1, 2]) {
      keys.set(request.textKeys[0]!, 'user:zyx');
      expect(await countUndone(parts)).toBe(1);
      expect(await eraseAgain(parts)).toBe(1);
      expect(keys.size).toBe(0);
      expect(await requested(request.erasureId)).toHaveLength(1 + repeated);
      await finished(request.erasureId);
    }
  });

  it('keeps texts that one request kept, without their person', async () => {
    const { parts, keys, requested } = installation();
    const erase = requestOf();
    const keep = requestOf({ erasureId: erase.erasureId, texts: 'keep' });
    for (const request of [keep, erase]) await parts.list.add(listEntryOf(request));
    keys.set(erase.textKeys[0]!, 'user:zyx').set(keep.textKeys[0]!, 'user:zyx');
    expect(await eraseAgain(parts)).toBe(2);
    expect([...keys]).toEqual([[keep.textKeys[0], null]]);
    expect(await eraseAgain(parts)).toBe(0);
    expect([...keys]).toEqual([[keep.textKeys[0], null]]);
    expect(await requested(erase.erasureId)).toHaveLength(2);
  });

  it('resumes after a kill at any step, and names the person until the last', async () => {
    const { parts, keys, erased, requested } = installation();
    const request = requestOf();
    await parts.list.add(listEntryOf(request));
    keys.set(request.identityKeys[0]!, 'user:zyx').set(request.textKeys[0]!, 'user:zyx');
    const killed = async () => {
      throw new Error('killed');
    };
    await expect(eraseAgain({ ...parts, accounts: { erase: killed } })).rejects.toThrow('killed');
    await expect(
      eraseAgain({ ...parts, keys: { ...parts.keys, destroy: killed } }),
    ).rejects.toThrow('killed');
    expect(keys.size).toBe(2);
    expect(await eraseAgain(parts)).toBe(0);
    expect(keys.size).toBe(0);
    expect(erased).toEqual(['zyx', 'zyx']);
    expect(await requested(request.erasureId)).toHaveLength(1);
  });

  it.each([
    ['damaged', (path: string) => changeEntry(path, '{"', '{')],
    ['that of another person', (path: string) => changeEntry(path, '"keep"', '"erase"')],
    ['not readable', madeDirectory],
    ['of a newer release', newerEntry],
  ])('is reported by name where its entry is %s, and stops no other', async (_, change) => {
    const { parts, root, keys, requested } = installation();
    const lost = requestOf({ texts: 'keep' });
    await parts.list.add(listEntryOf(lost));
    const [path = ''] = listedFiles(root);
    const changed = change(path) ?? path;
    const request = requestOf();
    await parts.list.add(listEntryOf(request));
    for (const { identityKeys } of [lost, request]) keys.set(identityKeys[0]!, 'user:zyx');

    const reported: string[] = [];
    const onUnreadable = ({ message }: UnreadableEntry) => void reported.push(message);
    expect(await countUndone({ ...parts, onUnreadable })).toBe(1);
    expect(await eraseAgain({ ...parts, onUnreadable })).toBe(1);
    const name = changed.split('/').slice(-3).join('/');
    const message = `erasures/${name} is no erasure that this release can read`;
    expect(reported).toEqual([message, message]);
    expect(await requested(request.erasureId)).toHaveLength(1);
    expect([...keys.keys()]).toEqual([lost.identityKeys[0]]);
  });

  it('waits while the store is unavailable', async () => {
    const { parts } = installation();
    const files: FileStore = {
      ...directoryStores(directory.path('away')).of('erasures'),
      async *stored() {
        yield ['a/b/c'];
      },
      open: async () => {
        throw new FilesUnavailable('the bucket is away');
      },
    };
    const again = eraseAgain({ ...parts, list: erasureListIn(files) });
    await expect(again).rejects.toThrow('the bucket is away');
  });
});
