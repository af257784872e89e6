/**
 * Hosts sandboxes in this process: the role `sandboxes`. design.md decision 9. What the parts do is
 * in the other files of this folder; here they are put together and looked after.
 */
import type { TakeRequest } from '../api/http/server.ts';
import type { TakeUpgrade } from '../api/http/upgrades.ts';
import { sandboxUrls, type Urls } from '../compose.ts';
import { isMissingTable } from '../db/errors.ts';
import type { Database } from '../db/pool.ts';
import { isThere, type SandboxView } from '../domain/sandbox/view.ts';
import { SANDBOX_IDLE_MAX_MS, SANDBOX_LOOK_MS, SANDBOX_SWEEP_MS } from '../limits.ts';
import { pause } from '../ops/backoff.ts';
import { systemClock, type Clock } from '../ops/clock.ts';
import { untilDone } from '../ops/until-done.ts';
import type { SandboxBuilder } from '../processes/sandbox-provisioning.ts';
import { sandboxQueries } from '../projections/sandboxes/queries.ts';
import type { EventStore } from '../store/event-store.ts';
import { sandboxRepository } from '../store/repositories/sandboxes.ts';
import { awakeSandboxes } from './awake.ts';
import { sandboxBuilder } from './builder.ts';
import { databasesOn } from './databases.ts';
import { dispatcher } from './dispatcher.ts';
import { databaseNames } from './names.ts';
import { openStack, type HostParts } from './stack.ts';
import { sweep } from './sweep.ts';
import { fillTemplate, templateContents } from './template-contents.ts';
import { template } from './template.ts';

export interface SandboxHost {
  /** For the main platform: it takes the requests to sandboxes' addresses. */
  readonly takeRequest: TakeRequest;
  /** As `takeRequest`, of upgrades. */
  readonly takeUpgrade: TakeUpgrade;
  /** For the main platform: it builds what is provisioned. */
  readonly builder: SandboxBuilder;
  /** Makes the template, sweeps, wakes what is due and lets sleep what is idle. */
  start(): void;
  /** Ends the sandboxes that are awake, and opens none any more. Twice is once. */
  stop(): Promise<void>;
}

export interface SandboxHostParts extends Omit<HostParts, 'corsOrigins'> {
  /** The main platform's. */
  readonly log: EventStore;
  readonly db: Database;
  readonly clock: Clock;
  /** Any database of the server that keeps those of the sandboxes. */
  readonly databaseUrl: string;
  readonly urls: Urls;
  /** Default {@link SANDBOX_IDLE_MAX_MS}. */
  readonly idleMaxMs?: number;
  /** Default {@link SANDBOX_LOOK_MS}. */
  readonly lookMs?: number;
}

export const hostSandboxes = (parts: SandboxHostParts): SandboxHost => {
  const { log, db, clock, logger, secrets, urls, databaseUrl } = parts;
  const apiUrlOf = sandboxUrls(urls);
  const { idleMaxMs = SANDBOX_IDLE_MAX_MS, lookMs = SANDBOX_LOOK_MS } = parts;
  const databases = databasesOn(databaseUrl);
  const names = databaseNames(decodeURIComponent(new URL(databaseUrl).pathname.slice(1)));
  const sandboxes = sandboxRepository(log);
  const queries = sandboxQueries(db);
  const ending = new AbortController();
  const running: Promise<void>[] = [];

  const awake = awakeSandboxes({
    open: ({ sandboxId, generation, slug, ...sandbox }) =>
      openStack(
        { ...sandbox, sandboxId, generation, apiUrl: apiUrlOf(slug) },
        databases.urlOf(names.of(sandboxId, generation)),
        { ...parts, corsOrigins: urls.corsOrigins },
      ),
    logger,
  });

  const made = template({
    databases,
    names,
    contents: templateContents(),
    fill: (url) => fillTemplate(url, { logger, secrets }),
  });

  const failed = (what: string) => (error: unknown) => logger.warn({ err: error }, what);

  /** The list knows the address, the log how the sandbox stands: never behind an answer. */
  const find = async (slug: string): Promise<SandboxView | null> => {
    const found = await queries.at(slug, clock.now());
    const sandbox = found && (await sandboxes.look(found.sandboxId))?.view;
    return sandbox && isThere(sandbox, clock.now()) ? sandbox : null;
  };

  /** Opens it, so that its timers run; it sleeps again when it is idle. */
  const wake = async (sandboxId: string): Promise<void> => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    if (sandbox?.status !== 'ready' || sandbox.ended !== null) return awake.end(sandboxId);
    const { release } = await awake.use(sandbox);
    release();
  };

  /** None while the list is made for the first time. */
  const listed = () =>
    queries.ready(clock.now()).catch((error: unknown) => {
      if (isMissingTable(error)) return [];
      throw error;
    });

  /** What this process does not know it looks at once: somebody may have stopped in the middle. */
  const lookAfter = async (): Promise<void> => {
    for (const { sandboxId } of await listed()) {
      if (ending.signal.aborted) return;
      if (!awake.knows(sandboxId)) await wake(sandboxId);
    }
    const now = systemClock.now();
    for (const sandboxId of awake.dueBy(now)) await wake(sandboxId);
    await awake.sleep(idleMaxMs, new Date(Date.parse(now) + lookMs).toISOString());
  };

  const every = async (ms: number, work: () => Promise<unknown>, what: string) => {
    while (!ending.signal.aborted) {
      await untilDone(work, ending.signal, failed(what));
      await pause(ms, ending.signal);
    }
  };

  const swept = async () => {
    const dropped = await sweep({ databases, names, sandboxes });
    if (dropped.length > 0) logger.info({ dropped }, 'databases without a sandbox were dropped');
  };

  return {
    ...dispatcher({
      sandboxHost: urls.sandboxHost,
      find,
      awake,
      logger,
    }),
    builder: sandboxBuilder({ databases, names, template: made, awake, logger, apiUrlOf }),

    start() {
      running.push(
        untilDone(() => made.ready(), ending.signal, failed('the template cannot be made')),
        every(SANDBOX_SWEEP_MS, swept, 'databases cannot be swept'),
        every(lookMs, lookAfter, 'sandboxes cannot be looked after'),
      );
    },

    async stop() {
      ending.abort();
      await awake.close();
      await Promise.all(running);
    },
  };
};
