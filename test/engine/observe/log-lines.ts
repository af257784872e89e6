/** Logs one line with the server's logger, and exits at once. */
import { createRequire } from 'node:module';
import { logDestination } from '../../../src/engine/observe/log-destination.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';

const logger = loggerOf('info', await logDestination('stdout', 'auto'));
const isFormatter = (path: string) => path.includes('/node_modules/pino-pretty/');
const loaded = Object.keys(createRequire(import.meta.url).cache).some(isFormatter);
logger.info({ loaded }, 'the last line');
process.exit();
