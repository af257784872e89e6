/** The follower that chains the records of keys. docs/decisions/0048. */
import { expect, it } from 'vitest';
import { chainOf } from '../../../src/domain/keys/audit-chain.ts';
import { TIMER_SLEEP_MAX_MS } from '../../../src/engine/limits.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { AUDIT_CHAIN_WAITING_RECORDS_MAX } from '../../../src/processes/keys/limits.ts';
import {
  keyringAnnouncements,
  type KeyringAnnouncements,
} from '../../../src/identity/keys/key-use-log.ts';
import { AUDIT_CHAINING, auditChaining } from '../../../src/processes/keys/audit-chaining.ts';
import { chainFrom } from '../../../src/use-cases/keys/audit-chain.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { noon } from '../../support/domain/specify.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import { perTest } from '../../support/consumers/per-test.ts';
import { keyIssued } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';
import { until } from '../../support/until.ts';

const journal = 'keyuse-acme.202603';
const clock = clockAt(noon.at);
const MUCH_LATER_MS = 3_600_000;
const test = perTest();

const follows = (
  delayMs: number,
  log: EventStore = test.log,
  announcing: Pick<KeyringAnnouncements, 'announce'> = keyringAnnouncements({ log, clock }),
) => {
  const follower = test.runs(testConsumers(test.url, log, { clock }));
  follower.start([auditChaining(follower.consumers, announcing, { delayMs })]);
  return follower;
};
const chained = async (): Promise<readonly number[]> =>
  (await Array.fromAsync(chainFrom(test.log, journal))).flatMap(({ links }) =>
    links.map(({ revision }) => revision),
  );
const untilChained = (count: number) =>
  until(async () => (await chained()).length === count, `a chain of ${count} records`);

it('chains records from before its first run, and later ones', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  await key.used(noon.at);
  follows(5);
  await untilChained(1);
  await key.used(noon.at);
  await key.used(noon.at);
  await untilChained(3);
});

it('chains followed records on stop, and another process continues', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  await key.used(noon.at);
  let followed = false;
  const watched = logWith(test.log, {
    async *subscribe(...call) {
      for await (const batch of test.log.subscribe(...call))
        try {
          yield batch;
        } finally {
          followed ||= batch.events.some(({ stream }) => stream === journal);
        }
    },
  });
  const first = follows(MUCH_LATER_MS, watched);
  await until(() => followed, 'the record is followed');
  expect(await chained()).toEqual([]);
  await test.stop(first);
  expect(await chained()).toEqual([0]);
  await key.used(noon.at);
  follows(5);
  await untilChained(2);
  expect(await chained()).toEqual([0, 1]);
});

it('continues after a failure of the log, without gaps', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  await key.used(noon.at);
  let failures = 0;
  const lost = new LogUnavailable('a lost reply');
  const failing = logWith(test.log, {
    async append(stream, ...rest) {
      const appended = await test.log.append(stream, ...rest);
      if (!stream.startsWith('auditchain-')) return appended;
      // Stored, but the acknowledgement is lost.
      failures += 1;
      throw lost;
    },
  });
  follows(5, failing);
  await until(() => failures > 0, 'a failure');
  await key.used(noon.at);
  await untilChained(2);
  expect([await chained(), failures > 1]).toEqual([[0, 1], true]);
});

it('is not behind once every record is chained, and chains none of its own events', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  await key.used(noon.at);
  const { consumers } = follows(5);
  const journals = [journal, `keyring-${keyringOf('acme')}`];
  const chains = () => Promise.all(journals.map((name) => test.log.readStream(chainOf(name))));
  const isChained = async () => {
    const [status] = await consumers.status([AUDIT_CHAINING]);
    return (await chains()).every(({ length }) => length > 0) && status!.seconds === 0;
  };
  // Before it would look again without a new record.
  await until(isChained, 'the end of the lag', { maxMs: TIMER_SLEEP_MAX_MS / 2 });
  expect((await chains()).map(({ length }) => length)).toEqual([1, 1]);
});

it('announces the last change of a keyring, which may be of a process that has died', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  await key.revoked(noon.at);
  const announced: (readonly [string, number])[] = [];
  let failures = 0;
  follows(5, test.log, {
    async announce(...change) {
      failures += 1;
      if (failures === 1) throw new LogUnavailable('it is away');
      announced.push(change);
    },
  });
  await until(() => announced.length > 0, 'an announcement');
  const keyring = `keyring-${keyringOf('acme')}`;
  const [last] = await test.log.readStream(keyring, { backwards: true, limit: 1 });
  expect(announced).toEqual([[keyring, last?.revision]]);
});

it('does not wait once too many records do', async () => {
  const key = await keyIssued(test.log, 'acme', noon.at);
  const event = key.use(noon.at);
  const uses = Array.from({ length: AUDIT_CHAIN_WAITING_RECORDS_MAX + 2 }, (_, at) => ({
    ...event,
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  }));
  await key.usedBefore(uses);
  follows(MUCH_LATER_MS);
  await until(async () => (await chained()).length > 0, 'the chain');
});
