import type { Pool } from 'pg';
import { isMissingTable } from '../db/errors.ts';
import type { Owner, Ownership } from '../consumers/leases.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import { waiting } from '../consumers/position-waiters.ts';
import type { EventStore, Position } from '../store/event-store.ts';
import type { AnyProcess, Give, Publish } from './process.ts';
import { processRunner } from './runner.ts';

/** The processes of a platform: run where this process owns them, waited for everywhere. */
export interface Processes {
  /** Competes for every process. Resolves once `signal` has aborted and all are given up. */
  start(signal: AbortSignal): Promise<void>;
  /** Whether all of them have reacted to the log up to `position` within `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  status(): Promise<readonly ProcessStatus[]>;
}

export interface ProcessStatus {
  readonly name: string;
  readonly position: Position | null;
  /** `null` where the log cannot count. */
  readonly lagEvents: number | null;
  readonly owner: Owner;
  /** Streams set aside. */
  readonly parked: number;
  readonly lastError: string | null;
}

export interface ProcessesParts {
  readonly processes: readonly AnyProcess[];
  readonly log: EventStore;
  readonly db: { readonly pool: Pool };
  readonly ownership: Ownership;
  readonly give: Give;
  /** Needed where one of them publishes. */
  readonly publish?: Publish;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Least pause between two copies of a checkpoint. Default {@link PROCESS_CHECKPOINT_COPY_MS}. */
  readonly copyMs?: number;
}

/** Several as one, for those who wait for all. */
export const together = (
  ...all: readonly Pick<Processes, 'waitFor' | 'status'>[]
): Pick<Processes, 'waitFor' | 'status'> => ({
  waitFor: async (position, timeoutMs) =>
    (await Promise.all(all.map((one) => one.waitFor(position, timeoutMs)))).every(Boolean),
  status: async () => (await Promise.all(all.map((one) => one.status()))).flat(),
});

/** @throws If two processes have one name. */
export const processRuntime = (parts: ProcessesParts): Processes => {
  const { processes, log, db, ownership, logger } = parts;
  const names = processes.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error('two processes have one name');

  const here = new Map<string, { readonly position: Position | null }>();
  const waits = waiting({
    log,
    known: (name) => here.get(name),
    look: async () => new Map([...(await books())].map(([name, { position }]) => [name, position])),
    onFailure: (error) => logger.debug({ err: error }, 'the checkpoints cannot be read'),
  });

  const runners = processes.map((process) =>
    processRunner({
      ...parts,
      pool: db.pool,
      process,
      onReached(reached) {
        if (reached) {
          here.set(process.name, reached);
          waits.reached(process.name, reached.position);
        } else {
          here.delete(process.name);
          waits.lookElsewhere();
        }
      },
    }),
  );

  const books = async () => {
    type Row = Pick<ProcessStatus, 'name' | 'position' | 'parked' | 'lastError'>;
    try {
      const { rows } = await db.pool.query<Row>(
        `select name, position, last_error as "lastError",
                (select count(*) from process.parked as p where p.name = c.name) as parked
         from process.checkpoint as c where name = any($1)`,
        [names],
      );
      return new Map(rows.map((row) => [row.name, row]));
    } catch (error) {
      // None has ever run, or its books were dropped.
      if (isMissingTable(error)) return new Map<string, Row>();
      throw error;
    }
  };

  return {
    async start(signal) {
      await Promise.all(
        runners.map((runner) =>
          ownership.hold(ownerNameOf(runner.name), (lease) => runner.run(lease), signal),
        ),
      );
      waits.close();
    },

    waitFor: (position, timeoutMs) => waits.until(names, position, timeoutMs),

    async status() {
      const [found, owners, head] = await Promise.all([
        books(),
        ownership.owners(names.map(ownerNameOf)),
        log.head(),
      ]);
      return names.map((name) => {
        const position = here.get(name)?.position ?? found.get(name)?.position ?? null;
        const behind = log.compare(position, head.position) < 0;
        return {
          name,
          position,
          lagEvents: behind ? log.distance(position, head.position) : 0,
          owner: owners.get(ownerNameOf(name)) ?? 'none',
          parked: found.get(name)?.parked ?? 0,
          lastError: found.get(name)?.lastError ?? null,
        };
      });
    },
  };
};

const ownerNameOf = (name: string): string => `process/${name}`;
