/**
 * The start of the server: reads the environment, and starts the embedded Postgres while the
 * platform's two thousand modules are loaded.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import closeWithGrace from 'close-with-grace';
import { banner } from './config/banner.ts';
import { configOf, type Config } from './config/config.ts';
import { logDestination } from './engine/observe/log-destination.ts';
import { loggerOf } from './engine/observe/logging.ts';
import { keepPidIn } from './engine/observe/pid-file.ts';
import { untraced } from './engine/observe/tracing.ts';
import { STOP_GRACE_MS } from './limits.ts';
import { postgresOf } from './operator/open-log.ts';
import { messageForOperator } from './operator/operator-error.ts';
import { startFacts } from './operator/start-facts.ts';
import { whenReachable } from './operator/when-reachable.ts';
import manifest from '../package.json' with { type: 'json' };

/** Imports OpenTelemetry only if tracing is configured. */
const tracingOf = async ({ tracing }: Config) => {
  if (tracing === null) return null;
  const { openTelemetry } = await import('./engine/observe/open-telemetry.ts');
  const instance = `${hostname()}:${process.pid}`;
  return openTelemetry({ ...tracing, version: manifest.version, instance });
};

/** `npm start` and `atrium start`. Resolves once the server is ready, or is stopping. */
export const main = async (env: Readonly<Record<string, string | undefined>>): Promise<void> => {
  const began = performance.now();
  const config = configOf(env);
  const tracing = await tracingOf(config);
  const to = await logDestination('stdout', config.logFormat);
  const logger = loggerOf(config.logLevel, to, tracing?.logged);
  tracing?.reportTo(logger);
  await using closing = new AsyncDisposableStack();
  const database = whenReachable(() => postgresOf(config, closing, logger), logger);
  // Awaited once the modules are loaded, which takes one long turn of the event loop.
  database.catch(() => {});
  await setImmediate();
  const { startServer } = await import('./server.ts');
  const running = await startServer(config, await database, logger, tracing ?? untraced);
  closing.defer(() => running.stop());
  const isDevelopment = config.environment === 'development';
  const forgetPid = isDevelopment ? keepPidIn(join(config.dataDirectory, 'server.pid')) : null;
  const { shutdownDelayMs } = config;
  const parts = closing.move();
  const options = { delay: shutdownDelayMs + STOP_GRACE_MS, logger, skip: CRASHES };
  closeWithGrace(options, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'stopping after a bug');
    else {
      logger.info({ signal }, 'stopping');
      running.drain();
      // Load balancers send requests until their next readiness check.
      await setTimeout(shutdownDelayMs);
    }
    await parts.disposeAsync();
    await tracing?.close();
    forgetPid?.();
  });
  const facts = startFacts(config);
  logger.info({ start: facts }, 'Atrium is listening');
  if (!(await running.ready)) return;
  logger.info({ start: facts }, 'Atrium is ready');
  if (isDevelopment || isatty(process.stderr.fd)) {
    process.stderr.write(banner(facts, (performance.now() - began) / 1000));
  }
};

/**
 * Signals of a fault in native code. With a listener, the fault would be repeated for ever, in
 * place of ending the process: a listener runs in the event loop, which the fault never reaches.
 */
const CRASHES: closeWithGrace.Signals[] = [
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
];

/** {@link main} as a process: prints the error of a failed start, and sets the exit code 1. */
export const run = async (): Promise<void> => {
  try {
    await main(process.env);
  } catch (error) {
    // Only a bug is printed with its stack.
    process.stderr.write(`atrium: ${messageForOperator(error) ?? (error as Error).stack}\n`);
    process.exitCode = 1;
  }
};
