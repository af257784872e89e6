/** Commands waiting in the browser: their order, idempotency keys, and lifetime. */
import { expect, it } from 'vitest';
import { openOutbox, WAITING_MAX, type Sender } from '../packages/portal/src/outbox/outbox.ts';
import type { OutboxStore, Waiting } from '../packages/portal/src/outbox/waiting.ts';
import { AtriumError } from '../packages/sdk/src/index.ts';

const NEVER_MS = 1_000_000;

/** The storage of one browser, which outlives its pages. */
const browserStore = () => {
  const kept = new Map<string, Waiting>();
  const store: OutboxStore = {
    all: async () => [...kept.values()].toSorted((a, b) => a.at - b.at),
    put: async (waiting) => void kept.set(waiting.id, waiting),
    remove: async (id) => void kept.delete(id),
  };
  return { kept, store };
};

const refused = new AtriumError(
  {
    type: 'about:blank',
    title: 'Does not fit',
    status: 400,
    code: 'VALIDATION_FAILED',
    detail: 'Does not fit.',
    requestId: 'r1',
    errors: [],
  },
  new Response(null, { status: 400 }),
);
const broken = new TypeError('fetch failed');

/** A server that answers each step with the planned error, else with success. */
const server = (...planned: readonly (Error | null)[]) => {
  const steps: string[] = [];
  const plan = [...planned];
  const take = async (step: string) => {
    steps.push(step);
    const failure = plan.shift();
    if (failure) throw failure;
  };
  const sender: Sender = {
    async give(command, key) {
      await take(`${command.kind} ${key}`);
      return command.kind === 'note' ? command.ticketId : `ticket of ${key}`;
    },
    attach: (ticketId, photo) => take(`photo ${photo.key} to ${ticketId}`),
    wordsOf: (error) => (error as Error).message,
  };
  return { steps, sender };
};

const body = { buildingId: 'b', description: 'It drips.' };
const report = (id: string, photos: readonly string[] = []) => ({
  id,
  command: { kind: 'report', body } as const,
  photos: photos.map((key) => ({ key, name: 'tap.jpg', blob: new Blob(['tap']) })),
});
const opened = (store: OutboxStore, sender: Sender, retryMs = () => 0) => {
  let time = 0;
  return openOutbox({ store, sender, now: () => (time += 1), retryMs });
};

it('sends a report and then its photos, and keeps nothing of it', async () => {
  const { kept, store } = browserStore();
  const { steps, sender } = server();
  const outbox = opened(store, sender);
  const answer = await outbox.add(report('a', ['p1', 'p2']), NEVER_MS);
  expect(answer).toEqual({ became: 'ticket', ticketId: 'ticket of a' });
  await expect.poll(() => outbox.items()).toEqual([]);
  expect(steps).toEqual(['report a', 'photo p1 to ticket of a', 'photo p2 to ticket of a']);
  await expect.poll(() => kept.size).toBe(0);
});

it('retries unanswered commands under the same keys', async () => {
  const { store } = browserStore();
  const { steps, sender } = server(broken, null, broken);
  const outbox = opened(store, sender);
  expect(await outbox.add(report('a', ['p1']), NEVER_MS)).toEqual({ became: 'waiting' });
  await expect.poll(() => outbox.items()).toEqual([]);
  const photo = 'photo p1 to ticket of a';
  expect(steps).toEqual(['report a', 'report a', photo, photo]);
});

it('sends reports before photos', async () => {
  const { store } = browserStore();
  const { steps, sender } = server(broken);
  const outbox = opened(store, sender, () => NEVER_MS);
  await outbox.add(report('a', ['p1']), NEVER_MS);
  const second = outbox.add(report('b'), NEVER_MS);
  outbox.wake();
  await second;
  await expect.poll(() => outbox.items()).toEqual([]);
  expect(steps).toEqual(['report a', 'report a', 'report b', 'photo p1 to ticket of a']);
});

it('continues in the next page with commands left by the last one', async () => {
  const { kept, store } = browserStore();
  const first = server(null, broken);
  const before = opened(store, first.sender, () => NEVER_MS);
  await before.add(report('a', ['p1', 'p2']), NEVER_MS);
  await expect.poll(() => first.steps).toHaveLength(2);
  before.close();
  const { steps, sender } = server();
  const after = opened(store, sender);
  await expect.poll(() => steps).toHaveLength(2);
  await expect.poll(() => after.items()).toEqual([]);
  expect(steps).toEqual(['photo p1 to ticket of a', 'photo p2 to ticket of a']);
  await expect.poll(() => kept.size).toBe(0);
});

it('hands a refusal to the form that waits for it, and keeps nothing', async () => {
  const { kept, store } = browserStore();
  const { sender } = server(refused);
  const outbox = opened(store, sender);
  await expect(outbox.add(report('a'), NEVER_MS)).rejects.toBe(refused);
  expect(outbox.items()).toEqual([]);
  await expect.poll(() => kept.size).toBe(0);
});

it('keeps commands refused later, and retries them on request', async () => {
  const { kept, store } = browserStore();
  const { steps, sender } = server(broken, refused);
  const outbox = opened(store, sender);
  await outbox.add(report('a'), NEVER_MS);
  await expect.poll(() => outbox.items()[0]?.refusal).toBe('Does not fit.');
  // Others are not held up by it.
  await outbox.add(report('b'), NEVER_MS);
  expect(kept.get('a')?.refusal).toBe('Does not fit.');
  outbox.again('a');
  await expect.poll(() => outbox.items()).toEqual([]);
  expect(steps).toEqual(['report a', 'report a', 'report b', 'report a']);
});

it('sends nothing that was discarded', async () => {
  const { kept, store } = browserStore();
  const { steps, sender } = server(broken);
  const outbox = opened(store, sender, () => NEVER_MS);
  await outbox.add(report('a'), NEVER_MS);
  outbox.discard('a');
  outbox.wake();
  await outbox.add(report('b'), NEVER_MS);
  expect(steps).toEqual(['report a', 'report b']);
  await expect.poll(() => kept.size).toBe(0);
});

it('shows a discarded report until the browser has removed it', async () => {
  const { kept, store } = browserStore();
  const removed = Promise.withResolvers<void>();
  const slow = { ...store, remove: (id: string) => removed.promise.then(() => store.remove(id)) };
  const { sender } = server(broken);
  const outbox = opened(slow, sender, () => NEVER_MS);
  await outbox.add(report('a'), NEVER_MS);
  outbox.discard('a');
  expect([outbox.items().length, kept.size]).toEqual([1, 1]);
  removed.resolve();
  await expect.poll(() => outbox.items()).toEqual([]);
  expect(kept.size).toBe(0);
});

it('says so where the browser keeps nothing, and sends it all the same', async () => {
  const { store } = browserStore();
  const { sender } = server(broken);
  const outbox = opened(
    { ...store, put: () => Promise.reject(new Error('no room')) },
    sender,
    () => NEVER_MS,
  );
  await outbox.add(report('a'), NEVER_MS);
  expect(outbox.items()[0]?.isKept).toBe(false);
  outbox.wake();
  await expect.poll(() => outbox.items()).toEqual([]);
});

it('keeps a bounded number', async () => {
  const { store } = browserStore();
  const { sender } = server(...Array.from({ length: 100 }, () => broken));
  const outbox = opened(store, sender, () => NEVER_MS);
  for (let n = 0; n < WAITING_MAX; n += 1) await outbox.add(report(`r${n}`), NEVER_MS);
  await expect(outbox.add(report('more'), NEVER_MS)).rejects.toThrow(
    'are still waiting to be sent',
  );
});
