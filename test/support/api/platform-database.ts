/** Databases of test platforms, in which the tables of the read models are there and empty. */
import { Client } from 'pg';
import { inject } from 'vitest';
import { release } from '../../../src/compose.ts';
import { projectionId } from '../../../src/engine/consumers/consumer.ts';
import { statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import { copyOfDatabase, databaseIn, runOnce, type TestDatabase } from '../postgres/database.ts';

/** Before every event. */
const START = '0';
/** Only one process makes the template. */
const LOCK = 0x7465_7374;

let template: Promise<string> | undefined;

/** Creating the tables costs more than everything else that a start does. */
export const platformDatabase = async (): Promise<TestDatabase> =>
  copyOfDatabase(await (template ??= makeTemplate()));

const makeTemplate = async (): Promise<string> => {
  const cluster = inject('clusterUrl');
  const name = `${inject('templateDatabase')}_platform`;
  const client = new Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length > 0) return name;
    await client.query(`create database ${name}_new template ${inject('templateDatabase')}`);
    await runOnce(databaseIn(cluster, `${name}_new`), readModels());
    await client.query(`alter database ${name}_new rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
};

const readModels = (): string =>
  release.projections
    .flatMap((projection) => {
      const { create, tables } = statementsOf(projection);
      const names = tables.map((table) => `'${table}'`).join(', ');
      const id = projectionId(projection);
      const checkpoint = `
        insert into consumers.checkpoint (consumer, epoch, tables, updated_at, position)
        values ('${id}', 0, array[${names}], now(), '${START}')`;
      return [...create, checkpoint];
    })
    .join(';\n');
