/** The sections of a bundle, which are independent: each reports only its own failure. */
import { cpus, release as systemRelease, totalmem, type } from 'node:os';
import type { Config } from '../../config/config.ts';
import { CHECKS_WITH_ERRORS, examine, listenerUrl } from '../doctor/doctor.ts';
import { openedLater, standingOf } from '../doctor/parts.ts';
import type { Env } from '../command-logger.ts';
import { startFacts } from '../start-facts.ts';
import { configurationSection } from './configuration.ts';
import { databaseSection, parkedSection } from './database.ts';
import { logSection } from './log-lines.ts';

export interface SectionParts {
  readonly env: Env;
  readonly config: Config;
  /** A file of JSON lines. */
  readonly log: string | undefined;
  readonly withinMs: number;
  readonly closing: AsyncDisposableStack;
}

export type Sections = Readonly<Record<string, () => Promise<unknown>>>;

export const sectionsOf = ({ env, config, log, withinMs, closing }: SectionParts): Sections => {
  const parts = openedLater(config, closing, withinMs);
  const database = async () => {
    const pool = await parts.pool();
    if (pool === null) throw new Error('there is no database yet');
    return pool;
  };
  const { eventstoreUrl } = config;
  return {
    installation: async () => startFacts(config),
    machine: async () => ({
      system: `${type()} ${systemRelease()} ${process.arch}`,
      cpus: cpus().length,
      memoryBytes: totalmem(),
      versions: process.versions,
    }),
    configuration: async () => configurationSection(env),
    doctor: async () =>
      (await examine(env, { withinMs })).map(({ name, status, detail }) =>
        // These errors are in the section of consumers, by kind.
        CHECKS_WITH_ERRORS.has(name) ? { name, status } : { name, status, detail },
      ),
    database: async () => databaseSection(await database()),
    parked: async () => parkedSection(await database()),
    consumers: async () => {
      const { projections, processes } = await standingOf(await database(), await parts.log());
      return [...projections, ...processes].map(({ lastError, ...status }) => ({
        ...status,
        lastError: lastError === null ? null : kindOf(lastError),
      }));
    },
    ...(eventstoreUrl === null ? {} : { eventstore: () => eventStoreSection(eventstoreUrl) }),
    metrics: () => metricsSection(config, withinMs),
    ...(log === undefined ? {} : { log: () => logSection(log) }),
  };
};

/** `RangeError` of `RangeError: no more`: the message may quote an event. */
export const kindOf = (error: string): string =>
  /^[A-Z]\w{0,60}(?=:)/.exec(error)?.[0] ?? 'an error';

const eventStoreSection = async (url: string): Promise<object> => {
  // Loaded on demand, because the client takes long to load.
  const { eventStoreServers, lastScavenge } =
    await import('../../engine/log/eventstoredb/server-state.ts');
  const [servers, scavenge] = await Promise.all([eventStoreServers(url), lastScavenge(url)]);
  return { servers, scavenge };
};

/** The metrics of the server on this machine: no label has an id, a URL or a name. */
const metricsSection = async (config: Config, withinMs: number): Promise<readonly string[]> => {
  const { host, metricsPort, port } = config;
  const listener = listenerUrl({ host, port: metricsPort ?? port });
  if (listener === null) throw new Error('its port is random');
  const url = `${listener}/metrics`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return (await answer.text()).split('\n').filter((line) => !/^(#|$)/.test(line));
};
