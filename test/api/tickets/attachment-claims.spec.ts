import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { FILE_ORPHAN_GRACE_MS } from '../../../src/files/limits.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { testPlatform } from '../../support/api/platform.ts';
import { demoBuilding } from '../../../src/demo/building.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const AHEAD_MS = 48 * 3_600_000;
const root = temporaryDirectory('attachment-claims');
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('claims are of real time, however far the clock of the platform is ahead', async () => {
  const { url: databaseUrl, drop } = await freshDatabase();
  const db = poolOf(databaseUrl);
  const store = directoryStores(root).of('main');
  const claimed: Date[] = [];
  const files: FileStore = {
    ...store,
    async receive(chunks) {
      const received = await store.receive(chunks);
      return {
        ...received,
        async keep(organisation) {
          await received.keep(organisation);
          const { rows } = await db.query('select claimed_at as at from files.reference');
          claimed.push(...rows.map(({ at }) => at));
        },
      };
    },
  };
  const begin = (offsetMs: number) =>
    testPlatform({ databaseUrl, files, clock: virtualClock(undefined, offsetMs) });
  const claim = (sha256: string, ageMs: number) =>
    db.query(`insert into files.reference values ('acme', $1, $2, $3, $4)`, [
      sha256,
      randomUUID(),
      randomUUID(),
      new Date(Date.now() - ageMs),
    ]);
  const claims = async () => {
    const { rows } = await db.query(
      'select sha256 from files.reference where claimed_at is not null order by sha256',
    );
    return rows.map(({ sha256 }) => sha256.slice(0, 1));
  };

  const first = await begin(AHEAD_MS);
  try {
    const agent = first.as('agent@acme.test');
    const manager = first.as('manager@acme.test');
    const { body: building } = await manager.post('/api/v1/buildings/import', demoBuilding());
    const { body: ticket } = await agent.post(REQUESTS, {
      buildingId: building.buildingId,
      description: 'x',
    });
    const path = `${REQUESTS}/${ticket.id}/attachments`;
    const form = formOf({ name: 'file', fileName: 'a.txt', content: 'a' });
    expect((await agent.post(path, form, formHeaders)).status).toBe(201);
    expect(Math.abs(Date.now() - Number(claimed[0]))).toBeLessThan(FILE_ORPHAN_GRACE_MS / 2);
    expect(readdirSync(root, { recursive: true }).length).toBeGreaterThan(0);
  } finally {
    await first.close();
  }

  // An upload in progress and an interrupted one: the sweep at the start checks both, and
  // unfinished files last.
  await claim('a'.repeat(64), 1_000);
  await claim('b'.repeat(64), FILE_ORPHAN_GRACE_MS + 60_000);
  const unfinished = join(root, 'main', 'unfinished', 'cut');
  writeFileSync(unfinished, 'x');
  utimesSync(unfinished, 0, 0);
  const second = await begin(AHEAD_MS);
  try {
    await until(() => !existsSync(unfinished), 'the sweep');
    expect(await claims()).toEqual(['a']);
  } finally {
    await second.close();
    await db.end();
    await drop();
  }
});
