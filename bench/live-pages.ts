/**
 * The time until a colleague's change is on the screen, and the cost of pages that wait for changes
 * (long polls) for the server.
 *
 *     node bench/live-pages.ts [changes] [tickets] [tabs]
 *
 * Two browsers show a list of `tickets` tickets; the time runs from before the request that changes
 * one of them until the other browser shows it. The tabs are long polls of
 * ten callers of two organisations; their share is the processor time of the server and of its
 * Postgres over a minute, less that of a minute without them.
 */
import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../test/support/browser/chromium.ts';
import { openPortal } from '../test/support/browser/portal.ts';
import { servers } from '../test/support/servers/servers.ts';
import { letPass } from '../test/support/until.ts';
import { median } from './support/figures.ts';

const [changes = 20, tickets = 0, tabs = 200] = process.argv.slice(2).map(Number);
const MEASURED_MS = 60_000;
const TICKS_PER_S = 100;
const REQUESTS = '/api/service-desk/requests';

const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-live-'));
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });

const call = async (method: string, path: string, body?: object) => {
  const answer = await server.call('manager@acme.test', method, path, body ? { body } : {});
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const buildingId = (await call('GET', '/api/v1/buildings')).items[0].id;

const filled = async () => {
  const lines = Array.from({ length: tickets }, (_, n) =>
    JSON.stringify({ importKey: `bench-${n}`, buildingId, description: `Ticket ${n}` }),
  );
  const answer = await fetch(`${server.url}${REQUESTS}/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await server.tokenOf('manager@acme.test')}`,
      'content-type': 'application/x-ndjson',
    },
    body: lines.join('\n'),
  });
  const summary = (await answer.text()).trim().split('\n').at(-1);
  console.log(`import: ${summary}`);
};
if (tickets > 0) await filled();

const browser = await launchChromium();
const { page } = await openPortal(browser, server, 'agent@acme.test');
const other = await openPortal(browser, server, 'manager@acme.test');
const subject = 'Seen by a colleague';
const { id } = await call('POST', REQUESTS, { buildingId, subject, description: subject });
await page.goto(`${server.url}/#/tickets?search=colleague`);
await page.getByText(subject).waitFor();

/** In the browser: resolves with the time at which a row has this text. */
const SEEN = (text: string) => `new Promise((resolve) => {
  const look = () => [...document.querySelectorAll('tr[data-ticket]')]
    .some((row) => row.textContent.includes(${JSON.stringify(text)}));
  const watch = new MutationObserver(() => {
    if (!look()) return;
    watch.disconnect();
    requestAnimationFrame(() => resolve(Date.now()));
  });
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

const delays: number[] = [];
for (let n = 0; n < changes; n += 1) {
  const next = `${subject} ${n}`;
  const seen = page.evaluate<number>(SEEN(next));
  await letPass(50, 'the observer begins');
  const began = Date.now();
  await other.page.evaluate(
    async ([path, body, token]) =>
      void (await fetch(path!, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: body!,
      })),
    [
      `${REQUESTS}/${id}`,
      JSON.stringify({ subject: next }),
      await server.tokenOf('manager@acme.test'),
    ],
  );
  delays.push((await seen) - began);
}
const sorted = delays.toSorted((a, b) => a - b);
const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1];
console.log(`change to screen, ms: p50 ${median(delays)}, p99 ${p99}, of ${changes}`);
await browser.close();

/** Processor seconds of the server and of its Postgres so far. */
const secondsOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
  }, 0);
const family = () => {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ');
          return [[Number(name), Number(stat[1])] as const];
        } catch {
          return [];
        }
      }),
  );
  const isOf = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === server.process.pid || (parent !== undefined && parent > 1 && isOf(parent));
  };
  return [...parents.keys()].filter(isOf);
};
const share = async () => {
  const [own, others] = [[server.process.pid!], family()];
  const before = [secondsOf(own), secondsOf(others)];
  await letPass(MEASURED_MS, 'what is measured');
  const alive = new Set(family());
  const after = [secondsOf(own), secondsOf(others.filter((pid) => alive.has(pid)))];
  return after.map((seconds, at) => ((seconds - before[at]!) / MEASURED_MS) * 100_000);
};
const idle = await share();

/** Five callers: ten in all, so that each stays within its limit of long polls. */
const tokensOf = async (organisation: string): Promise<readonly string[]> => {
  const roles = ['agent', 'manager', 'auditor', 'viewer'];
  const people = roles.map((role) => server.tokenOf(`${role}@${organisation}.test`));
  const answer = await fetch(`${server.url}/dev/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${organisation}-bridge:atrium-demo`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: bridge } = (await answer.json()) as { access_token: string };
  return [...(await Promise.all(people)), bridge];
};
const callers = (await Promise.all(['acme', 'globex'].map(tokensOf))).flat();
const gone = new AbortController();
let polls = 0;
const tab = async (token: string) => {
  const authorization = `Bearer ${token}`;
  for (let cursor = 'end'; !gone.signal.aborted; polls += 1) {
    const wait = cursor === 'end' ? 0 : 25;
    const answer = await fetch(
      `${server.url}/api/service-desk/changes?after=${cursor}&limit=200&wait=${wait}`,
      { headers: { authorization }, signal: gone.signal },
    );
    if (!answer.ok) throw new Error(await answer.text());
    cursor = ((await answer.json()) as { nextCursor: string }).nextCursor;
  }
};
const all = Array.from({ length: tabs }, (_, n) =>
  tab(callers[n % callers.length]!).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  }),
);
await letPass(5_000, 'every tab waits');
const busy = await share();
gone.abort();
await Promise.all(all);
console.table(
  ['server', 'Postgres'].map((part, at) => ({
    part,
    'idle, % of a core': idle[at]!.toFixed(2),
    [`${tabs} tabs, % of a core`]: busy[at]!.toFixed(2),
    difference: (busy[at]! - idle[at]!).toFixed(2),
  })),
);
console.log(`${polls} polls answered`);
await running.release();
rmSync(directory, { recursive: true, force: true });
