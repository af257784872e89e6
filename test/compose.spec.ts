/** Checks of docker-compose.yml and the Dockerfile without a container engine. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configOf } from '../src/config/config.ts';
import { composeErrors } from './support/compose-schema.ts';
import { imageEnvironment, instructions } from './support/image.ts';

/** The members of a service that this file uses. */
interface Service {
  image?: string;
  build?: string;
  network_mode?: string;
  environment?: Record<string, string | number | null>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[]; interval: string; timeout: string; start_period: string };
}

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const services = Object.entries(compose.services);
const named = (name: string): Service => compose.services[name] ?? {};
const mounts = services.flatMap(([, { volumes }]) => (volumes ?? []).map((it) => it.split(':')));

/** The variables that the configuration's contract names. */
const variables = new Set(
  `HOST PORT METRICS_PORT ATRIUM_ENV ATRIUM_DATA ATRIUM_SECRETS_KEY DATABASE_URL EVENTSTORE_URL
   OIDC_ISSUER OIDC_AUDIENCE NATS_URL BUS_PREFIX PUBLIC_URL SANDBOX_HOST CORS_ORIGINS ATRIUM_ROLES
   SPACES_LIMIT_CAP TRUSTED_PROXIES WEBHOOK_ALLOW_PRIVATE OTEL_EXPORTER_OTLP_ENDPOINT
   LOG_LEVEL`.split(/\s+/),
);

/** The container's environment: a `null` in the file is taken from the shell, if set there. */
const environmentOf = (name: string) =>
  Object.fromEntries(
    Object.entries(named(name).environment ?? {})
      .filter(([, value]) => value !== null)
      .map(([variable, value]) => [variable, String(value)]),
  );
const environment = environmentOf('atrium');

/** The processes of Atrium, which share the work by role. */
const processes = ['atrium', 'worker'];

describe('docker-compose.yml', () => {
  it('is valid by the compose specification', () => {
    expect(composeErrors(compose)).toEqual([]);
  });

  it('brings the log, the database, the issuer, the bus and monitoring beside Atrium', () =>
    expect(Object.keys(compose.services).sort()).toEqual([
      'atrium',
      'eventstore',
      'grafana',
      'keycloak',
      'nats',
      'postgres',
      'prometheus',
      'worker',
    ]));

  it.each(services)('asks %s whether it is well, in a bounded time', (_, { healthcheck }) => {
    expect(healthcheck?.test[0]).toMatch(/^CMD/);
    expect(healthcheck).toMatchObject({
      interval: expect.stringMatching(/s$/),
      timeout: expect.stringMatching(/s$/),
      start_period: expect.stringMatching(/s$/),
    });
  });

  it.each(processes)('starts %s when everything it needs is well', (name) => {
    const needed = ['eventstore', 'keycloak', 'postgres'];
    expect(named(name).depends_on).toMatchObject(
      Object.fromEntries(needed.map((service) => [service, { condition: 'service_healthy' }])),
    );
    // It serves without NATS.
    expect(named(name).depends_on?.['nats']).toEqual({ condition: 'service_started' });
  });

  it.each(processes)('sets no variable for %s that Atrium has no meaning for', (name) => {
    const set = Object.keys(named(name).environment ?? {});
    expect(set.filter((variable) => !variables.has(variable))).toEqual([]);
  });

  it.each(processes)('gives %s an environment that it starts with', (name) => {
    const config = configOf(environmentOf(name));
    expect(config.environment).toBe('development');
    expect(config.databaseUrl).toContain('@postgres:5432/atrium');
  });

  it('shares the roles between two processes, which share all else but their ports', () => {
    const configs = processes.map((name) => configOf(environmentOf(name)));
    const roles = configs.flatMap((config) => [...config.roles]);
    expect(roles.toSorted()).toEqual(['api', 'processes', 'projections', 'sandboxes']);
    const ports = configs.flatMap(({ port, metricsPort }) => [port, metricsPort]);
    expect(new Set(ports).size).toBe(4);
    // They answer in one network namespace.
    expect(processes.map((name) => named(name).network_mode)).toEqual(
      processes.map(() => 'service:keycloak'),
    );
    const shared = configs.map((config) => ({
      ...config,
      roles: null,
      port: null,
      metricsPort: null,
      processUrl: null,
    }));
    expect(shared[1]).toEqual(shared[0]);
  });

  it('has both scraped where they show their metrics', () => {
    const { scrape_configs: jobs } = parse(read('ops/prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const targets = jobs.flatMap(({ static_configs: of }) => of.flatMap((one) => one.targets));
    const shown = processes.map((name) => `keycloak:${environmentOf(name)['METRICS_PORT']}`);
    expect(targets).toEqual(expect.arrayContaining(shown));
    const hosts = targets.map((target) => target.split(':')[0]!);
    expect(hosts.filter((host) => host !== 'localhost' && !(host in compose.services))).toEqual([]);
  });

  it('calls only services that are there, by names they answer to', () => {
    const called = ['DATABASE_URL', 'EVENTSTORE_URL', 'NATS_URL'].map(
      (name) => new URL(environment[name]!.replace(/^\w+:/, 'http:')).hostname,
    );
    expect(called.filter((host) => !(host in compose.services))).toEqual([]);
  });

  it('has one password for Postgres, the same on both sides', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = named('postgres').environment ?? {};
    expect(environment['DATABASE_URL']).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    );
  });

  it('gives the issuer one name, for the browser and for Atrium', () => {
    const issuer = new URL(environment['OIDC_ISSUER']!);
    const keycloak = named('keycloak');
    expect(keycloak.environment).toMatchObject({
      KC_HOSTNAME: issuer.origin,
      KC_HTTP_PORT: Number(issuer.port),
    });
    // The same `localhost`: the browser by the published port, Atrium by the shared network.
    expect(issuer.hostname).toBe('localhost');
    expect(keycloak.ports).toContain(`127.0.0.1:${issuer.port}:${issuer.port}`);
    expect(named('atrium').network_mode).toBe('service:keycloak');
    expect(keycloak.ports).toContain(`127.0.0.1:${environment['PORT']}:${environment['PORT']}`);
  });

  it('names the realm that is imported', () => {
    const file = mounts.map(([from]) => from!).find((from) => from.endsWith('-realm.json'))!;
    const { realm } = JSON.parse(read(file)) as { realm: string };
    expect(environment['OIDC_ISSUER']).toMatch(new RegExp(`/realms/${realm}$`));
  });

  it('publishes every port on loopback alone', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('pins the images that it pulls', () => {
    const built = services.flatMap(([, { image, build }]) => (build ? [image ?? ''] : []));
    const images = services
      .map(([, { image = '' }]) => image)
      .filter((image) => !built.includes(image));
    expect(images.filter((image) => !/:v?\d+\.\d+(\.\d+)?[\w.-]*$/.test(image))).toEqual([]);
  });

  it('shows which of its secrets are for development, and holds no other', () => {
    const secrets = services.flatMap(([, service]) =>
      Object.entries(service.environment ?? {}).filter(
        ([name, value]) => /PASSWORD|SECRET|TOKEN/.test(name) && value !== null,
      ),
    );
    expect(secrets.map(([, value]) => value)).toEqual(secrets.map(() => 'development-only'));
    expect(secrets).toHaveLength(3);
  });

  it('keeps data in named volumes and mounts only files that exist', () => {
    const sources = mounts.map(([from]) => from!);
    const files = sources.filter((from) => from.startsWith('.'));
    const volumes = sources.filter((from) => !from.startsWith('.'));
    expect(files.filter((from) => !existsSync(new URL(from, root)))).toEqual([]);
    expect([...new Set(volumes)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });
});

describe('Dockerfile', () => {
  const image = imageEnvironment();

  it('runs the sources with the Node version of development, as an unprivileged user', () => {
    expect(instructions('ARG').slice(0, 2)).toEqual([
      `NODE_IMAGE=node:${read('.nvmrc').trim()}-bookworm-slim`,
      // Of the same release of Debian: Node and the shell find the libraries they were linked with.
      'BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot',
    ]);
    expect(instructions('FROM')).toEqual(['${NODE_IMAGE} AS install', '${BASE_IMAGE}']);
    expect(instructions('RUN')).toEqual([expect.stringMatching(/^npm ci --omit=dev && sh ops/)]);
    expect(instructions('USER')).toEqual(['65532:65532']);
    expect(instructions('CMD').at(-1)).toBe('["node", "src/main.ts"]');
  });

  it('contains the programs that the server starts', () => {
    const copied = instructions('COPY').filter((line) => line.startsWith('--from='));
    const brought = copied.map((line) => line.split(/\s+/).at(-1));
    expect(read('src/files/previews/draw.ts')).toContain("spawn('/bin/sh'");
    expect(brought).toEqual(
      expect.arrayContaining(['/usr/local/bin/node', '/bin/sh', 'node_modules']),
    );
  });

  it('is stopped gently and asked whether it lives', () => {
    expect(instructions('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(instructions('HEALTHCHECK')[0]).toContain('/health/live');
  });

  it('is production, and does not start without a secrets key, an address and an issuer', () => {
    expect(() => configOf(image)).toThrow('ATRIUM_SECRETS_KEY: required in production');
    const key = randomBytes(32).toString('base64');
    const named = { ...image, ATRIUM_SECRETS_KEY: key, PUBLIC_URL: 'https://atrium.example.com' };
    expect(() => configOf({ ...named, PUBLIC_URL: '' })).toThrow('PUBLIC_URL: must be an https:');
    expect(() => configOf(named)).toThrow('OIDC_ISSUER');
    const config = configOf({ ...named, OIDC_ISSUER: 'https://id.example.com/realms/atrium' });
    expect(config).toMatchObject({ environment: 'production', host: '0.0.0.0' });
  });

  it('copies existing files, which the build context includes', () => {
    const sources = instructions('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(/\s+/).slice(0, -1));
    expect(sources.filter((from) => !existsSync(new URL(from, root)))).toEqual([]);
    const admitted = read('.dockerignore').split('\n');
    const patterns = admitted
      .filter((line) => line.startsWith('!'))
      .map(
        (line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replace('*', '[^/]+')}/?$`),
      );
    const files = sources.filter((from) => from !== '.');
    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(admitted).toEqual(expect.arrayContaining(['*', '!src', '!packages/*/src']));
  });
});
