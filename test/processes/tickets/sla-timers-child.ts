/** A process that fires the clocks of tickets until it is killed: `node clocks-child.ts <url>`. */
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { slaTimersOn } from './sla-timers.ts';

const [url] = process.argv.slice(2);
if (!url) throw new Error('a database url is needed');
slaTimersOn(url, postgresEventStore({ url })).start();
