/** Removes personal data from ticket read models after an erasure. contract.md section 11. */
import type { Pool } from 'pg';
import { LogUnavailable, type EventStore } from '../../engine/log/event-store.ts';
import { vacuum } from '../../engine/postgres/vacuum.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import { schemaOf } from '../../engine/projections/projection.ts';
import { ticketAnswers } from '../../projections/tickets/answers.ts';
import { ticketList } from '../../projections/tickets/list.ts';
import { ticketMetadata } from '../../projections/tickets/metadata.ts';
import { ticketSearch } from '../../projections/tickets/search.ts';
import { ERASURE_READ_MODEL_WAIT_MS } from './limits.ts';

export interface ForgettingParts {
  readonly log: Pick<EventStore, 'head'>;
  readonly pool: Pool;
  readonly models: Pick<ReadModels, 'waitFor'>;
}

/**
 * Waits until the read models have reached the position.
 *
 * @throws {@link LogUnavailable} after {@link ERASURE_READ_MODEL_WAIT_MS}: the caller tries again.
 */
export const waitForModels = async (
  { models }: Pick<ForgettingParts, 'models'>,
  names: readonly string[],
  position: string,
): Promise<void> => {
  if (await models.waitFor(names, position, ERASURE_READ_MODEL_WAIT_MS)) return;
  throw new LogUnavailable(`${names.join(', ')} have not followed yet`);
};

/**
 * Vacuums the tables, whose dead row versions still hold personal data. Throws as
 * {@link waitForModels} does.
 */
export const forgetRows = async (
  { log, pool, models }: ForgettingParts,
  signal: AbortSignal,
): Promise<void> => {
  const { position } = await log.head();
  const names = readModelsOfPersons.map(({ name }) => name);
  if (position !== null) await waitForModels({ models }, names, position);
  const tables = readModelsOfPersons.flatMap((model) => [
    `${schemaOf(model)}.${model.table.name}`,
    ...(model.tallies ?? []).map(({ name }) => `${schemaOf(model)}.${name}`),
  ]);
  await vacuum({ pool, name: 'atrium erasure', signal }, [...tables, ...BESIDE_THE_LOG]);
};

const BESIDE_THE_LOG = [
  'people.sign_ins',
  'session.session',
  'presence.present',
  'personal.keys',
] as const;

const readModelsOfPersons = [ticketList, ticketSearch, ticketMetadata, ticketAnswers] as const;
