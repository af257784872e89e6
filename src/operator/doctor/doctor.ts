/**
 * Checks every dependency of a server independently, each with a timeout; a check reports the part
 * it needs that cannot be reached. Changes nothing, except that a stopped embedded Postgres runs
 * during the check.
 */
import { configOf, type Config } from '../../config/config.ts';
import { BadConfiguration } from '../../config/variables.ts';
import { compareText } from '../../domain/compare-text.ts';
import { CERTIFICATE_TIME_SHARE, DOCTOR_CHECK_MAX_MS } from '../limits.ts';
import type { Env } from '../command-logger.ts';
import { databaseClock, issuerClockOf, nowMs, type ClockReading } from '../conditions/clocks.ts';
import { backupFinding } from './backup.ts';
import { builtFrom } from '../commit.ts';
import { examined, failed, none, ok, type CheckResult, type Finding } from './check.ts';
import { clockFinding, fullestFinding, releaseFinding } from './machine.ts';
import { once, openedLater, standingOf } from './parts.ts';
import { dataDirectories } from '../open-log.ts';
import { openedErasures } from '../opened-erasures.ts';
import { erasuresFinding } from './erasures.ts';
import { personKeysFinding } from './person-keys.ts';
import { previewsFinding } from './previews.ts';
import { filesFinding } from './files.ts';
import { certificatesFinding } from './certificates.ts';
import { connectionsFinding, descriptorsFinding } from './capacity.ts';
import { natsStreamsFinding } from './nats-streams.ts';
import {
  issuerFinding,
  logFinding,
  natsFinding,
  postgresFinding,
  sandboxDatabaseFinding,
  sandboxRightsFinding,
  serverFinding,
  writesFinding,
} from './reach.ts';
import { scannerFinding } from './scanner.ts';
import { secretsFinding } from './secret-keys.ts';
import { hidingSecretsOf, placeOf, placeOfDatabase } from './secrets.ts';
import {
  auditChainFinding,
  parkedFinding,
  processesFinding,
  projectionsFinding,
  sameLogFinding,
  schemaFinding,
} from './standing.ts';

/** Every check, in the order of the output. */
export const checkNames = [
  'configuration',
  'release',
  'disk',
  'descriptors',
  'files',
  'previews',
  'scanner',
  'postgres',
  'writes',
  'sandbox database',
  'connections',
  'log',
  'eventstore',
  'issuer',
  'nats',
  'nats streams',
  'certificates',
  'server',
  'clock',
  'schema',
  'same log',
  'secrets',
  'person keys',
  'erasures',
  'projections',
  'processes',
  'parked',
  'audit chain',
  'backup',
] as const;

/** Checks whose detail may quote an error of a consumer, and so the data of an event. */
export const CHECKS_WITH_ERRORS: ReadonlySet<string> = new Set<CheckName>([
  'projections',
  'processes',
  'audit chain',
]);

type CheckName = (typeof checkNames)[number];

export interface ExamineOptions {
  /** Timeout of each check. Default {@link DOCTOR_CHECK_MAX_MS}. */
  readonly withinMs?: number;
}

/** The findings, in the order of the checks. A failed check is a finding, not an error. */
export const examine = async (
  env: Env,
  { withinMs = DOCTOR_CHECK_MAX_MS }: ExamineOptions = {},
): Promise<readonly CheckResult[]> => {
  const bounds = { hidden: hidingSecretsOf(env), withinMs };
  const results = new Map<CheckName, Promise<CheckResult>>();
  const check = (name: CheckName, look: () => Promise<Finding>): void => {
    results.set(name, examined(name, look, bounds));
  };
  /** Runs a check after those in `before`, and skips it if one of them failed or was skipped. */
  const checkAfter = (
    name: CheckName,
    before: readonly CheckName[],
    look: () => Promise<Finding>,
  ): void => {
    const looked = async () => {
      const found = await Promise.all(before.map((one) => results.get(one)!));
      const missing = found.find(({ status }) => status === 'failed' || status === 'none');
      const skipped = async () => none(`not looked at: ${missing!.name} is not there`);
      return examined(name, missing ? skipped : look, bounds);
    };
    results.set(name, looked());
  };

  const config = configured(env);
  const commit = config instanceof BadConfiguration ? null : builtFrom(config);
  check('release', async () => releaseFinding(commit));
  check('configuration', async () =>
    config instanceof BadConfiguration ? failed(config.message) : ok(aboutOf(config)),
  );
  if (config instanceof BadConfiguration) return inOrder(results);

  await using closing = new AsyncDisposableStack();
  const parts = openedLater(config, closing, withinMs);
  const readings: ClockReading[] = [];

  check('disk', () => fullestFinding(dataDirectories(config)));
  check('descriptors', () => descriptorsFinding(config));
  check('files', async () => filesFinding(config, closing));
  check('previews', previewsFinding);
  check('scanner', () => scannerFinding(config));
  check('backup', () => backupFinding(config));
  const where = placeOfDatabase(config);
  const postgres = async () => {
    const pool = await parts.pool();
    if (pool === null) return none(`${where}: not made yet; the server makes it when it starts`);
    const found = await postgresFinding(pool, where);
    readings.push(await databaseClock(pool));
    return found;
  };
  results.set('postgres', examined('postgres', postgres, { ...bounds, where }));
  const { sandboxDatabaseUrl } = config;
  if (sandboxDatabaseUrl === null && !config.roles.has('sandboxes'))
    check('sandbox database', async () => none('this process hosts no sandboxes'));
  else if (sandboxDatabaseUrl === null)
    checkAfter('sandbox database', ['postgres'], async () =>
      sandboxRightsFinding((await parts.pool())!, where),
    );
  else {
    const at = placeOf(sandboxDatabaseUrl);
    const look = () => sandboxDatabaseFinding(parts.poolAt(sandboxDatabaseUrl), at);
    const name = 'sandbox database';
    results.set(name, examined(name, look, { ...bounds, where: at }));
  }
  const isEmbeddedLog = config.eventstoreUrl === null;
  checkAfter('log', isEmbeddedLog ? ['postgres'] : [], async () =>
    logFinding(await parts.log(), {
      where: isEmbeddedLog ? 'in Postgres' : placeOf(config.eventstoreUrl),
      pool: isEmbeddedLog ? await parts.pool() : null,
    }),
  );
  const { eventstoreUrl } = config;
  if (eventstoreUrl === null) check('eventstore', async () => none('EVENTSTORE_URL is not set'));
  else
    checkAfter('eventstore', ['log'], async () => {
      // Loaded on demand, because the client takes long to load.
      const { eventStoreFinding } = await import('./eventstore.ts');
      return eventStoreFinding(eventstoreUrl, await parts.log());
    });
  const server = listenerUrl(config);
  const isServed = async () => (await results.get('server'))?.status === 'ok';
  check('server', async () =>
    server === null ? none('its port is random') : serverFinding(server, withinMs),
  );
  const askIssuer = (issuer: string) => async () => {
    const afterMs = nowMs();
    return issuerFinding(issuer, config, (response) => {
      const reading = issuerClockOf(response, afterMs);
      if (reading !== null) readings.push(reading);
    });
  };
  if (config.oidcIssuer !== null) check('issuer', askIssuer(config.oidcIssuer));
  else checkAfter('issuer', ['server'], askIssuer(`${config.publicUrl}/dev/oidc`));
  const { nats } = config;
  check('nats', async () =>
    nats ? natsFinding(nats.servers, withinMs) : none('NATS_URL is not set'),
  );
  if (nats === null) check('nats streams', async () => none('NATS_URL is not set'));
  else checkAfter('nats streams', ['nats'], () => natsStreamsFinding(nats, config, withinMs));
  check('certificates', () => certificatesFinding(config, withinMs * CERTIFICATE_TIME_SHARE));

  await Promise.all([results.get('postgres'), results.get('issuer')]);
  check('clock', async () => clockFinding(lastOfEach(readings)));
  checkAfter('writes', ['postgres'], async () =>
    writesFinding((await parts.pool())!, where, { holdsLog: isEmbeddedLog }),
  );
  checkAfter('connections', ['postgres'], async () =>
    connectionsFinding((await parts.pool())!, await isServed()),
  );
  checkAfter('schema', ['postgres'], async () => schemaFinding((await parts.pool())!));
  checkAfter('same log', ['log', 'schema'], async () =>
    sameLogFinding((await parts.pool())!, await parts.log()),
  );
  checkAfter('secrets', ['same log'], async () =>
    secretsFinding(config, (await parts.pool())!, await parts.log()),
  );
  checkAfter('person keys', ['same log'], async () =>
    personKeysFinding((await parts.pool())!, await parts.log()),
  );
  checkAfter('erasures', ['same log'], async () =>
    erasuresFinding((await parts.pool())!, closing.use(openedErasures(config)).list),
  );
  const standing = once(async () => standingOf((await parts.pool())!, await parts.log()));
  checkAfter('projections', ['same log'], async () =>
    projectionsFinding((await standing()).projections, await isServed()),
  );
  checkAfter('processes', ['same log'], async () =>
    processesFinding((await standing()).processes, await isServed()),
  );
  checkAfter('parked', ['same log'], async () => parkedFinding(await standing()));
  checkAfter('audit chain', ['same log'], async () =>
    auditChainFinding((await standing()).auditChain, await isServed()),
  );
  return await inOrder(results);
};

const inOrder = (
  results: ReadonlyMap<CheckName, Promise<CheckResult>>,
): Promise<readonly CheckResult[]> =>
  Promise.all(checkNames.flatMap((name) => results.get(name) ?? []));

const configured = (env: Env): Config | BadConfiguration => {
  try {
    return configOf(env);
  } catch (error) {
    if (error instanceof BadConfiguration) return error;
    throw error;
  }
};

const aboutOf = ({ environment, roles, eventstoreUrl, databaseUrl, oidcIssuer }: Config): string =>
  [
    environment,
    `roles ${[...roles].join(',')}`,
    `log in ${eventstoreUrl === null ? 'Postgres' : 'EventStoreDB'}`,
    databaseUrl === null ? 'embedded Postgres' : 'a Postgres of its own',
    oidcIssuer === null ? 'development issuer' : oidcIssuer,
  ].join('; ');

/** Where a server of this configuration listens; `null`: unknown. */
export const listenerUrl = ({ host, port }: Pick<Config, 'host' | 'port'>): string | null => {
  if (port === 0) return null;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
};

/** The last reading of each clock, in a fixed order. */
const lastOfEach = (readings: readonly ClockReading[]): readonly ClockReading[] =>
  [...new Map(readings.map((reading) => [reading.whose, reading])).values()].toSorted((a, b) =>
    compareText(a.whose, b.whose),
  );
