/** ops/compose: checks of the compose file for production without a container engine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configOf } from '../src/config/config.ts';
import { variables } from '../src/config/variables.ts';
import { SHUTDOWN_DELAY_DEFAULT_S, STOP_GRACE_MS } from '../src/limits.ts';
import { composeErrors } from './support/compose-schema.ts';
import { imageEnvironment } from './support/image.ts';
import { text } from './support/sources.ts';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy: { readonly resources: { readonly limits: object } };
}

const folder = 'ops/compose';
const compose = parse(text(`${folder}/production.yml`), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const services = Object.entries(compose.services);
const guide = text('docs/operating/production-compose.md');
const settings: Readonly<Record<string, string>> = {
  ATRIUM_SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64'),
  POSTGRES_PASSWORD: 'secret',
  OIDC_ISSUER: 'https://id.example.com/realms/atrium',
  PUBLIC_URL: 'https://atrium.example.com',
  SANDBOX_HOST: 'sandbox.example.com',
  TRUSTED_PROXIES: '172.20.0.1',
};
const environmentOf = (name: string): Record<string, string> => ({
  ...imageEnvironment(),
  ...Object.fromEntries(
    Object.entries(compose.services[name]!.environment ?? {}).map(([variable, value]) => [
      variable,
      String(value).replaceAll(/\$\{(\w+):[?-][^}]*\}/g, (_, of: string) => settings[of] ?? ''),
    ]),
  ),
});
const processes = ['api', 'worker'];

describe('ops/compose/production.yml', () => {
  it('is valid by the compose specification', () => expect(composeErrors(compose)).toEqual([]));

  it.each(services)('bounds the capabilities, resources and writes of %s', (_, service) => {
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      logging: {
        driver: 'json-file',
        options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': '5' },
      },
      deploy: {
        resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } },
      },
    });
    expect(service).not.toHaveProperty('network_mode');
    for (const tmpfs of service.tmpfs ?? []) expect(tmpfs).toMatch(/size=\d+[mg]$/);
  });

  it('pins every image by digest, in variables set by the guide', () => {
    const images = services.map(([, { image }]) => image);
    const asked = images.map((image) => /^\$\{(\w+_IMAGE):\?by digest\}$/.exec(image)?.[1]);
    expect(images.filter((image, at) => !asked[at] && !/@sha256:\w{64}$/.test(image))).toEqual([]);
    const set = [...guide.matchAll(/^ *(\w+_IMAGE)=\S+@sha256:/gm)].map(([, name]) => name);
    expect(set).toEqual(expect.arrayContaining(asked));
  });

  it('has a guide that names every variable that has to be set', () => {
    const words = text(`${folder}/production.yml`);
    const needed = [...words.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const named = [...guide.matchAll(/^ *(\w+)=/gm)].map(([, name]) => name!);
    expect([...new Set(needed)].filter((name) => !named.includes(name))).toEqual([]);
  });

  it.each(processes)('gives %s an environment that it starts with in production', (name) => {
    const environment = environmentOf(name);
    const own = Object.keys(compose.services[name]!.environment!);
    expect(own.filter((variable) => !(variable in variables))).toEqual([]);
    expect(configOf(environment)).toMatchObject({
      environment: 'production',
      metricsPort: 9464,
      files: { kind: 'directory', directory: '/data/files' },
    });
  });

  it('shares the roles between two processes, which write where there is room', () => {
    const roles = processes.flatMap((name) => [...configOf(environmentOf(name)).roles]);
    expect(roles.toSorted()).toEqual(['api', 'processes', 'projections', 'sandboxes']);
    const data = imageEnvironment()['ATRIUM_DATA'];
    const takes = SHUTDOWN_DELAY_DEFAULT_S + STOP_GRACE_MS / 1000;
    for (const name of processes) {
      const { tmpfs, volumes, stop_grace_period: grace } = compose.services[name]!;
      expect(tmpfs!.map((it) => it.split(':')[0])).toEqual(['/tmp', '/atrium/node_modules/.cache']);
      expect(volumes).toEqual([`data:${data}`]);
      expect(Number.parseInt(grace!, 10)).toBeGreaterThan(takes);
    }
  });

  it('publishes the API alone, to the machine alone, and keeps the stores from outside', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toEqual([`127.0.0.1:4000:${imageEnvironment()['PORT']}`]);
    expect(compose.networks['stores']).toEqual({ internal: true });
    expect(compose.services['postgres']!.networks).toEqual(['stores']);
    expect(compose.networks['metrics']).toEqual({ internal: true });
    expect(compose.services['prometheus']!.networks).toEqual(['metrics']);
  });

  it('mounts only files that exist, and holds no secret', () => {
    const files = services
      .flatMap(([, { volumes = [] }]) => volumes.map((it) => it.split(':')[0]!))
      .filter((from) => from.startsWith('.'));
    expect(files.filter((from) => !existsSync(join(folder, from)))).toEqual([]);
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\$\{\w+:\?\}$/);
    const values = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = values.filter(([name]) => /PASSWORD|SECRET|DATABASE_URL/.test(name));
    expect(secret.filter(([, value]) => !/\$\{\w+:[?-]\}/.test(String(value)))).toEqual([]);
  });

  it('scrapes both processes, and routes every alert by severity in Alertmanager', () => {
    const prometheus = parse(text(`${folder}/prometheus.yml`)) as {
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const targets = prometheus.scrape_configs.flatMap((job) =>
      job.static_configs.flatMap((it) => it.targets.map((target) => [job.job_name, target])),
    );
    expect(targets).toEqual(processes.map((name) => ['atrium', `${name}:9464`]));
    const alertmanagers = prometheus.alerting.alertmanagers.flatMap((it) =>
      it.static_configs.flatMap((one) => one.targets),
    );
    expect(alertmanagers).toEqual(['alertmanager:9093']);

    const { route, receivers } = parse(text(`${folder}/alertmanager.yml`)) as {
      route: { receiver: string; routes: { matchers: string[]; receiver: string }[] };
      receivers: { name: string; webhook_configs: { url_file: string }[] }[];
    };
    const severities = [...text('ops/prometheus/alerts.yml').matchAll(/severity: (\w+) }/g)];
    expect(new Set(severities.map(([, severity]) => severity))).toEqual(
      new Set(['page', 'ticket']),
    );
    expect(route.routes).toMatchObject([{ matchers: ['severity="page"'], receiver: 'pages' }]);
    expect(receivers.map(({ name }) => name)).toEqual(['pages', route.receiver]);
    const secrets = receivers.flatMap((it) => it.webhook_configs.map((one) => one.url_file));
    expect(secrets).toEqual(Object.keys(compose.secrets).map((name) => `/run/secrets/${name}`));
  });
});
