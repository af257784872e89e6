/** The follower and the replay meet without a gap: over a log in memory, event by event. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cursorIn, cursorText } from '../../../src/api/live/cursor.ts';
import { liveFollower } from '../../../src/api/live/follower.ts';
import { missedSince, type ReplayedLog } from '../../../src/api/live/replay.ts';
import { logReader } from '../../../src/engine/consumers/log-reader.ts';
import { LIVE_REPLAY_MESSAGES_MAX, LIVE_REPLAY_PAGES_MAX } from '../../../src/api/live/limits.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { until } from '../../support/until.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const followed = async (hasListeners: (buildingId: string) => boolean = () => true) => {
  const log = memoryEventStore();
  const ending = new AbortController();
  const emitted: string[] = [];
  const follower = liveFollower({
    log,
    reader: logReader({ log }),
    logger: pino({ level: 'silent' }),
    hasListeners,
    broadcast: (_building, places) =>
      emitted.push(...places.map(({ cursor }) => cursorText(cursor))),
    signal: ending.signal,
  });
  onTestFinished(async () => {
    ending.abort();
    await log.close();
  });
  await follower.begun();
  return { log, follower, emitted };
};

describe('the follower', () => {
  it('emits each message once, with a position from which the rest can be replayed', async () => {
    const { log, emitted } = await followed();
    const buildingId = randomUUID();
    for (let fact = 0; fact < 3; fact += 1) await tellPoints(log, { buildingId, points: 3 });
    await until(() => emitted.length === 9, 'all messages');
    expect(new Set(emitted).size).toBe(9);
    for (const [index, position] of emitted.entries()) {
      const missed = await missedSince(log, buildingId, cursorIn(position)!, () => null);
      const places = missed?.messages.map(({ cursor }) => cursorText(cursor));
      expect(places).toEqual(emitted.slice(index + 1));
    }
  });

  it('calls back between two events, with no message emitted after the position', async () => {
    const { log, follower, emitted } = await followed();
    const buildingId = randomUUID();
    await tellPoints(log, { buildingId, points: 5 });
    const { position } = await log.head();
    const reached = new Promise<readonly [boolean, number]>((resolve) =>
      follower.at(position, (inTime) => resolve([inTime, emitted.length])),
    );
    await tellPoints(log, { buildingId, points: 5 });
    expect(await reached).toEqual([true, 5]);
    await until(() => emitted.length === 10, 'all messages');
    const late = new Promise((resolve) => follower.at(position, resolve));
    expect(await late).toBe(false);
  });

  it('skips buildings without listeners', async () => {
    const wanted = randomUUID();
    const { log, emitted } = await followed((buildingId) => buildingId === wanted);
    await tellPoints(log, { buildingId: randomUUID() });
    await tellPoints(log, { buildingId: wanted });
    await until(() => emitted.length > 0, 'the message');
    const { position } = await log.head();
    expect(emitted).toEqual([position]);
  });
});

describe('a replay', () => {
  it('is abandoned beyond a limit of messages', async () => {
    const { log } = await followed();
    const buildingId = randomUUID();
    const { position: since } = await log.head();
    await tellPoints(log, { buildingId, points: 5 });
    const from = { after: since, messages: 0 };
    expect((await missedSince(log, buildingId, from, () => null))?.messages).toHaveLength(5);
    await tellPoints(log, { buildingId, points: LIVE_REPLAY_MESSAGES_MAX });
    expect(await missedSince(log, buildingId, from, () => null)).toBeNull();
  });
});

describe('a replay of a log with few events of buildings', () => {
  /** Counts the pages, all of them empty, of a log whose end is far away. */
  const emptyPages = async () => {
    let pages = 0;
    const log: ReplayedLog = {
      ...(await followed()).log,
      head: async () => ({ position: '999999999', recordedAt: null }),
      readAll: async () => ({ events: [], next: String((pages += 1)), end: false }),
    };
    return { log, pages: () => pages };
  };
  const from = { after: '0', messages: 0 };

  it('is abandoned beyond a limit of pages', async () => {
    const { log, pages } = await emptyPages();
    expect(await missedSince(log, randomUUID(), from, () => '999999999')).toBeNull();
    expect(pages()).toBe(LIVE_REPLAY_PAGES_MAX);
    const isRead = () => (pages() > LIVE_REPLAY_PAGES_MAX ? null : '999999999');
    expect(await missedSince(log, randomUUID(), from, isRead)).toBeNull();
    // Of the messages, and of the deleted journals.
    expect(pages()).toBe(2 * LIVE_REPLAY_PAGES_MAX + 1);
  });

  it('is abandoned when the listener has gone', async () => {
    const { log, pages } = await emptyPages();
    const isGone = () => pages() === 3;
    expect(await missedSince(log, randomUUID(), from, () => '999999999', isGone)).toBeNull();
    expect(pages()).toBe(3);
    const isGoneLater = () => pages() === 6;
    expect(await missedSince(log, randomUUID(), from, () => null, isGoneLater)).toBeNull();
    expect(pages()).toBe(6);
  });
});

describe('a position', () => {
  it.each(['', '~1', '5~0', '5~01', '5~x', '5~1~2'])('is not %j', (text) =>
    expect(cursorIn(text)).toBeNull(),
  );

  it.each(['start', '5', '17/17', 'start~3', '5~999999999', '4f1c09aa:5', '4f1c09aa:start~3'])(
    'may be %s',
    (text) => expect(cursorText(cursorIn(text)!)).toBe(text),
  );
});
