/** Operator commands never create an installation. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { temporaryDirectory } from '../support/directory.ts';
import { temporaryFiles } from '../support/files.ts';
import { emptyDatabase } from '../support/postgres/database.ts';
import { runAtrium } from '../support/servers/cli.ts';

const files = temporaryFiles();
/** A command for each way to open an installation. */
const commands = [
  ['import', 'building.json', '--organisation', 'acme'],
  ['projections', 'prepare'],
  ['events', 'export', '--to', files.path('all.ndjson')],
];
const words = commands.map((command) => [command.slice(0, 2).join(' '), command] as const);

describe('in a directory without an installation', () => {
  it.each([...words, ['events import', ['events', 'import', 'all.ndjson']] as const])(
    '%s is refused, names the directory and creates no file',
    async (_, command) => {
      const ATRIUM_DATA = temporaryDirectory('installed');
      expect(await runAtrium({ ATRIUM_DATA }, ...command)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(`^atrium: .*there is no installation in ${ATRIUM_DATA}: .*\n$`),
      });
      expect(readdirSync(ATRIUM_DATA)).toEqual([]);
    },
  );
});

describe('in a database without an installation', () => {
  it.each(words)('%s is refused, names the database and creates no schema', async (_, command) => {
    const { url, drop } = await emptyDatabase();
    const ATRIUM_DATA = temporaryDirectory('installed');
    expect(await runAtrium({ ATRIUM_DATA, DATABASE_URL: url }, ...command)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^atrium: .*there is no installation in postgres:.*\n$/),
    });
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$|^public$'`,
    );
    await client.end();
    expect(rows).toEqual([]);
    await drop();
  });
});
