/** Feeds the sample projection until it is killed: `node … <database url> <silent ms>`. */
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { projectionsOn } from '../../support/consumers/running-projections.ts';

const [url, silentMaxMs] = process.argv.slice(2);
if (!url) throw new Error('a database url is needed');
const one = projectionsOn(url, postgresEventStore({ url }), { silentMaxMs: Number(silentMaxMs) });
one.start();

const report = async () => {
  const [status] = await one.models.status().catch(() => []);
  if (status?.owner === 'this') process.stdout.write('owner\n');
};
const reporting = setInterval(() => void report(), 20);

process.on('SIGTERM', () => {
  clearInterval(reporting);
  void one.stop().then(() => process.exit(0));
});
