/**
 * Hosts sandboxes in this process: the role `sandboxes`. design.md decision 9. Composes the other
 * files of this folder.
 */
import type { Answered, TakeRequest } from '../api/http/server.ts';
import type { OwnSandbox } from '../api/sessions/own-sandbox.ts';
import type { TakeUpgrade } from '../api/http/upgrades.ts';
import { leases as leasesIn } from '../engine/consumers/leases.ts';
import { sandboxUrls, type Urls } from '../compose.ts';
import type { Database } from '../engine/postgres/pool.ts';
import { isThere, type SandboxView } from '../domain/sandboxes/view.ts';
import {
  SANDBOX_IDLE_MAX_MS,
  SANDBOX_LOOK_MS,
  SANDBOX_LOOP_BURST_MS,
  SANDBOX_LOOP_SHARE,
  SANDBOX_SWEEP_MS,
} from './limits.ts';
import { retry } from '../engine/concurrency/backoff.ts';
import { repeat } from '../engine/concurrency/repeat.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { SandboxBuilder } from '../processes/sandboxes/provisioning.ts';
import { sandboxRequestRows } from '../projections/sandboxes/requests.ts';
import { sandboxQueries } from '../projections/sandboxes/queries.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { installationId } from '../engine/log/installation.ts';
import { sandboxRepository } from '../use-cases/sandboxes/sandboxes.ts';
import { snapshotRepository } from '../use-cases/sandboxes/snapshots.ts';
import { activeSandboxes } from './active-sandboxes.ts';
import { sandboxBuilder } from './builder.ts';
import { maintenanceOf } from './maintenance.ts';
import { claimsOn, leaseOf } from './claims.ts';
import { databasesOn } from './databases.ts';
import { dispatcher } from './dispatcher.ts';
import type { ActiveSandbox } from './opening.ts';
import { loopShare, type LoopShareOptions } from './loop-share.ts';
import { databaseNames, type DatabaseNames } from './names.ts';
import { sandboxProxy } from './proxy.ts';
import { seeding } from './seeding.ts';
import { requestLog } from './request-log.ts';
import { openInstance, type HostParts } from './instance.ts';
import { snapshotBuilder } from './snapshots.ts';
import { sweep } from './sweep.ts';
import { fillTemplate, templateContents } from './template-contents.ts';
import { template } from './template.ts';
import { wakeTimesIn } from './wake-times.ts';

export interface SandboxHost {
  /** For the main platform: handles requests to sandboxes' addresses. */
  readonly takeRequest: TakeRequest;
  /** As `takeRequest`, for upgrades. */
  readonly takeUpgrade: TakeUpgrade;
  /** For the main platform: builds sandboxes. */
  readonly builder: SandboxBuilder;
  /**
   * Starts sweeping and maintenance, and creates the template.
   *
   * @param mayCreate The template, which takes a second of CPU time, is created once this has
   *   settled, or when a sandbox needs it. Default: at once.
   */
  start(mayCreate?: Promise<unknown>): void;
  /** Closes the active sandboxes, and opens no more. Idempotent. */
  stop(): Promise<void>;
}

export interface SandboxHostParts extends Omit<HostParts, 'corsOrigins'> {
  /** The main platform's log. */
  readonly log: EventStore;
  readonly db: Database;
  readonly clock: Clock;
  /** Any database of the server with the sandboxes' databases. */
  readonly databaseUrl: string;
  readonly urls: Urls;
  /** This process's address for other hosting processes; `null`, the default: none. */
  readonly processUrl?: string | null;
  /** The clocks of event loop shares. Default: wall time and CPU time. */
  readonly loopClocks?: Pick<LoopShareOptions, 'now' | 'computed'>;
  /** Default {@link LEASE_SILENT_MAX_MS}. */
  readonly leaseSilentMaxMs?: number;
  /** Default {@link SANDBOX_IDLE_MAX_MS}. */
  readonly idleMaxMs?: number;
  /** Default {@link SANDBOX_LOOK_MS}. */
  readonly lookMs?: number;
  /** Called with the number of requests that the request log lacks. Default: uncounted. */
  readonly requestsDropped?: (count: number) => void;
}

export const hostSandboxes = (parts: SandboxHostParts): SandboxHost => {
  const { log, db, clock, logger, secrets, urls, databaseUrl } = parts;
  const apiUrlOf = sandboxUrls(urls);
  const { idleMaxMs = SANDBOX_IDLE_MAX_MS, lookMs = SANDBOX_LOOK_MS } = parts;
  const databases = databasesOn(databaseUrl);
  /** Removes a sandbox, which consists of its database and its files. */
  const removed = async (name: string): Promise<void> => {
    await databases.drop(name);
    await parts.fileStores?.drop(name);
  };
  const stored = async (): Promise<readonly string[]> => [
    ...new Set([...(await databases.names()), ...((await parts.fileStores?.names()) ?? [])]),
  ];
  const sandboxes = sandboxRepository(log);
  const snapshots = snapshotRepository(log);
  const queries = sandboxQueries(db);
  const ending = new AbortController();
  const running: Promise<void>[] = [];
  /** Writes the request log until all active sandboxes are closed. */
  const writing = new AbortController();

  const leases = leasesIn({
    db,
    logger,
    address: parts.processUrl ?? null,
    ...(parts.leaseSilentMaxMs === undefined ? {} : { silentMaxMs: parts.leaseSilentMaxMs }),
  });
  const wakeTimes = wakeTimesIn(db);
  const proxy = sandboxProxy();
  const seeds = seeding();

  let named: DatabaseNames | null = null;
  /** Derived from the log's installation, which excludes the databases of other installations. */
  const names = async (): Promise<DatabaseNames> => {
    const owner = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
    named ??= databaseNames(owner, await installationId(log));
    return named;
  };

  const requestRows = sandboxRequestRows(db);
  const requests = requestLog({
    rows: requestRows,
    clock,
    logger,
    dropped: parts.requestsDropped ?? (() => {}),
  });
  /** The active sandboxes by slug. */
  const opened = new Map<string, ActiveSandbox>();
  const newShare = () =>
    loopShare({
      share: SANDBOX_LOOP_SHARE,
      burstMs: SANDBOX_LOOP_BURST_MS,
      ...parts.loopClocks,
    });

  const describe = async (sandboxId: string): Promise<OwnSandbox> => {
    const { name, createdBy, expiresAt } = (await sandboxes.look(sandboxId))!.view;
    const pageUrl = `${urls.publicUrl}/#/sandboxes/${sandboxId}`;
    return { sandboxId, name, owner: createdBy, expiresAt, pageUrl };
  };

  const active = activeSandboxes({
    claim: claimsOn(leases),
    open: async (sandbox, lease) => {
      const { sandboxId, generation, slug } = sandbox;
      const share = newShare();
      const name = (await names()).of(sandboxId, generation);
      const own = {
        databaseUrl: databases.urlOf(name),
        apiUrl: apiUrlOf(slug),
        files: parts.fileStores?.of(name),
        lease,
        share,
        onAnswered: (answered: Answered) => requests.record({ ...answered, sandboxId }),
        readOwnSandbox: () => describe(sandboxId),
      };
      const instance = await openInstance(sandbox, own, {
        ...parts,
        corsOrigins: urls.corsOrigins,
      });
      opened.set(slug, { sandbox, share });
      const close = () => {
        opened.delete(slug);
        return instance.close();
      };
      return { ...instance, close };
    },
    wakeTimes,
    logger,
  });

  const made = template({
    databases,
    names,
    contents: templateContents(),
    fill: (url) => fillTemplate(url, { logger, secrets }),
  });

  const failed = (what: string) => (error: unknown) => logger.warn({ err: error }, what);

  /** The list resolves the address; the state is read from the log, and so is never stale. */
  const find = async (slug: string): Promise<SandboxView | null> => {
    const found = await queries.at(slug, clock.now());
    const sandbox = found && (await sandboxes.look(found.sandboxId))?.view;
    return sandbox && isThere(sandbox, clock.now()) ? sandbox : null;
  };

  const maintain = maintenanceOf({
    sandboxes,
    queries,
    leases,
    wakeTimes,
    active,
    clock,
    logger,
    idleMaxMs,
    lookMs,
    signal: ending.signal,
  });

  const every = (ms: number, work: () => Promise<unknown>, what: string) =>
    repeat(() => work().then(() => ms), { signal: ending.signal, failed: failed(what) });

  const swept = async () => {
    const dropped = await sweep({ stored, removed, names: await names(), sandboxes, snapshots });
    if (dropped.length > 0)
      logger.info({ dropped }, 'databases without a sandbox or snapshot were dropped');
  };

  const { takeRequest, takeUpgrade, close } = dispatcher({
    sandboxHost: urls.sandboxHost,
    corsOrigins: urls.corsOrigins,
    identity: parts.identity,
    keyAuthority: parts.keyAuthority,
    browserSessions: parts.browserSessions ?? null,
    trustedProxies: parts.trustedProxies,
    apiUrlOf,
    find,
    active,
    activeAt: (slug) => opened.get(slug) ?? null,
    refused(slug, refused) {
      const sandboxId = opened.get(slug)?.sandbox.sandboxId;
      if (sandboxId !== undefined) requests.record({ ...refused, sandboxId });
    },
    proxy,
    logger,
    ...(parts.isUnderPressure ? { isUnderPressure: parts.isUnderPressure } : {}),
  });

  return {
    takeRequest,
    takeUpgrade,
    builder: sandboxBuilder({
      databases,
      names,
      template: made,
      seeding: seeds,
      active,
      stored,
      removed,
      over: (generations) => leases.forget(generations.map(leaseOf)),
      async gone(sandboxId) {
        await wakeTimes.forget(sandboxId);
        await requestRows.forget(sandboxId);
      },
      snapshots: snapshotBuilder({
        databases,
        names,
        active,
        leases,
        sandboxes,
        fileStores: parts.fileStores,
        removed,
      }),
      fileStores: parts.fileStores,
      secrets,
      logger,
      apiUrlOf,
    }),

    start(mayCreate = Promise.resolve()) {
      const create = async () => {
        await mayCreate;
        if (!ending.signal.aborted) await made.ready();
      };
      running.push(
        retry(create, ending.signal, failed('the template cannot be made')),
        requests.run(writing.signal),
        every(SANDBOX_SWEEP_MS, swept, 'databases cannot be swept'),
        every(lookMs, maintain, 'sandboxes cannot be looked after'),
      );
    },

    async stop() {
      ending.abort();
      await close();
      await active.close();
      await seeds.stop();
      writing.abort();
      await Promise.all(running);
      await leases.close();
      proxy.close();
    },
  };
};
