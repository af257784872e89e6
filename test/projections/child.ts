/** A process that feeds `things` until it is killed: `node child.ts <database url> <silent ms>`. */
import { postgresEventStore } from '../../src/store/postgres.ts';
import { platform } from './things.ts';

const [url, silentMaxMs] = process.argv.slice(2);
if (!url) throw new Error('a database url is needed');
const one = platform(url, postgresEventStore({ url }), { silentMaxMs: Number(silentMaxMs) });
one.start();
const told = setInterval(async () => {
  const [status] = await one.models.status().catch(() => []);
  if (status?.owner === 'this') process.stdout.write('owner\n');
}, 20);
process.on('SIGTERM', async () => {
  clearInterval(told);
  await one.stop();
  process.exit(0);
});
