/**
 * The interruption of writes when the leader of three EventStoreDB servers hangs (SIGSTOP), or is
 * killed, and the two others elect a new one: from their agreement on the leader until an append is
 * acknowledged on the same log. The old leader is then resumed, or started again, and all
 * acknowledged events are compared with the stored ones.
 *
 *     node bench/hung-leader.ts [rounds] [--kill]
 *
 * Needs a server program on the PATH.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { READINESS_ANSWER_MAX_MS } from '../src/engine/limits.ts';
import { withTimeout } from '../src/engine/concurrency/timeout.ts';
import { LogUnavailable } from '../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../src/engine/log/eventstoredb/store.ts';
import { watchedAppends } from '../src/engine/log/watched-appends.ts';
import { eventstoreCluster } from '../test/eventstore/support/cluster.ts';
import { eventstoreProgram } from '../test/support/eventstoredb/server.ts';

const rounds = Number(process.argv[2] ?? 5);
const kills = process.argv.includes('--kill');
const LANES = 8;
const LOOK_MS = 50;
/** Time for the resumed leader to process its queue, and to learn that it was deposed. */
const AWAKE_MS = 3_000;

const program = eventstoreProgram();
if (!program) throw new Error('no EventStoreDB on the PATH');
const cluster = await eventstoreCluster(program);
const appends = watchedAppends(eventstoreDbStore({ url: cluster.url }));
const { log } = appends;

const acknowledged: { readonly id: string; readonly at: number }[] = [];
let unanswered = 0;
/** Ids that were appended again, because the outcome of the first append was unknown. */
const givenAgain = new Set<string>();
const stop = new AbortController();
const lane = async (n: number) => {
  const journal = n % 2 === 0;
  const stream = journal ? 'hungjournal-1' : `hung-${n}`;
  for (let revision = -1; !stop.signal.aborted;) {
    const event = { id: uuid(), type: 'Happened', data: { n }, meta: { commandId: uuid() } };
    const expected = journal ? 'any' : revision < 0 ? 'no_stream' : revision;
    for (;;) {
      try {
        ({ revision } = await log.append(stream, expected, [event]));
        acknowledged.push({ id: event.id, at: performance.now() });
        break;
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        unanswered += 1;
        givenAgain.add(event.id);
      }
    }
    await sleep(5);
  }
};
const lanes = Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)));

/** The same leader in ten polls, because a resumed one learns late that it was deposed. */
const settled = async () => {
  let same: Awaited<ReturnType<typeof cluster.leader>> = null;
  for (let looks = 0; looks < 10 || same === null;) {
    const before = acknowledged.length;
    await sleep(500);
    const leader = await cluster.leader();
    looks = leader === same && acknowledged.length > before ? looks + 1 : 0;
    same = leader;
  }
  return same;
};

/** Results of the readiness check. */
let readySeen: { readonly isReady: boolean; readonly at: number }[] = [];
const watchReadiness = async () => {
  while (!stop.signal.aborted) {
    const isThere = await withTimeout(
      log.head().then(
        () => true,
        () => false,
      ),
      READINESS_ANSWER_MAX_MS,
      () => false,
    );
    const isReady = isThere && appends.ready() === true;
    if (readySeen.at(-1)?.isReady !== isReady) readySeen.push({ isReady, at: performance.now() });
    await sleep(200);
  }
};
const watching = watchReadiness();

for (let round = 1; round <= rounds; round += 1) {
  const hung = await settled();
  const from = performance.now();
  unanswered = 0;
  readySeen = [];
  if (kills) await hung.kill();
  else await hung.freeze();
  const until =
    <T>(look: () => T | null | Promise<T | null>) =>
    async (): Promise<T> => {
      for (;;) {
        const seen = await look();
        if (seen !== null) return seen;
        await sleep(LOOK_MS);
      }
    };
  const elected = until(async () => {
    const leader = await cluster.leader();
    return leader && leader !== hung ? performance.now() : null;
  })();
  // Appends in flight when the leader was stopped are no evidence of a new leader.
  const accepted = until(() => acknowledged.find(({ at }) => at > from + 500)?.at ?? null)();
  const [electedAt, acceptedAt] = await Promise.all([elected, accepted]);
  const s = (ms: number) => (ms / 1000).toFixed(1);
  console.log(
    `round ${round}: new leader after ${s(electedAt - from)} s, accepted ` +
      `${s(acceptedAt - electedAt)} s after that; ${unanswered} appends given up`,
  );
  hung.thaw();
  const wokenAt = performance.now();
  await sleep(AWAKE_MS);
  // A deposed leader truncates its log, and then exits.
  await hung.kill();
  await hung.start();
  await settled();
  const changes = readySeen.map(
    ({ isReady, at }) => `${isReady ? 'ready' : 'not ready'} at ${s(at - from)} s`,
  );
  console.log(`  woken up at ${s(wokenAt - from)} s; ${changes.join(', ')}`);
}
stop.abort();
await Promise.all([lanes, watching]);
const stored: string[] = [];
for (let after: string | null = null; ;) {
  const page = await log.readAll(after, { categories: ['hung', 'hungjournal'], limit: 1_000 });
  stored.push(...page.events.map(({ id }) => id));
  after = page.next;
  if (page.end) break;
}
const once = new Set<string>();
const twice = stored.filter((id) => once.size === once.add(id).size);
const lost = acknowledged.filter(({ id }) => !once.has(id)).length;
const unasked = twice.filter((id) => !givenAgain.has(id)).length;
console.log(
  `${acknowledged.length} acknowledged: ${lost} lost, ${unasked} stored twice, and ` +
    `${twice.length - unasked} more that their callers gave again (to a journal)`,
);
await log.close();
await cluster.release();
