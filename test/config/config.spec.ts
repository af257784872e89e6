import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { configOf } from '../../src/config/config.ts';
import { BadConfiguration, variables } from '../../src/config/variables.ts';

const wrong = (env: Record<string, string>) => {
  try {
    configOf(env);
  } catch (error) {
    expect(error).toBeInstanceOf(BadConfiguration);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
  throw new Error('the configuration was taken');
};

it('starts with nothing set', () =>
  expect(configOf({})).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    environment: 'development',
    publicUrl: 'http://localhost:4000',
    corsOrigins: ['http://localhost:4000'],
    databaseUrl: null,
    oidcIssuer: null,
    oidcAudience: 'atrium',
    spacesPageMax: 1000,
    logLevel: 'info',
  }));

it('reaches NATS by one URL, or by several of one cluster', () => {
  expect(configOf({}).nats).toBeNull();
  const servers = ['nats://atrium:s%40cret@one:4222', 'tls://[::1]:4223', 'nats://three'];
  expect(configOf({ NATS_URL: servers.join(', '), NATS_REPLICAS: '3' }).nats).toMatchObject({
    servers,
    replicas: 3,
    credentialsFile: null,
  });
});

it.each(Object.keys(variables))('takes an empty %s as its default', (name) =>
  expect(configOf({ [name]: '' })).toEqual(configOf({})),
);

it('derives the public address from the port', () =>
  expect(configOf({ PORT: '4321' }).publicUrl).toBe('http://localhost:4321'));

it.each([
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '4k' }, 'PORT'],
  [{ ATRIUM_ENV: 'staging' }, 'ATRIUM_ENV'],
  [{ ATRIUM_ROLES: 'api,printer' }, 'ATRIUM_ROLES'],
  [{ ATRIUM_ROLES: ',' }, 'ATRIUM_ROLES'],
  [{ ATRIUM_PORT: '1' }, 'ATRIUM_PORT'],
  [{ NATS_URL: 'http://nats:4222' }, 'NATS_URL'],
  [{ NATS_URL: 'nats://nats:4222/?x=1' }, 'NATS_URL'],
  [{ NATS_URL: 'nats://nats:99999' }, 'NATS_URL'],
  [{ NATS_URL: ',' }, 'NATS_URL'],
  [{ NATS_URL: 'nats://u:p%ZZ@nats' }, 'NATS_URL'],
  [{ NATS_URL: 'nats://one,nats://100%@two' }, 'NATS_URL'],
  [{ NATS_REPLICAS: '2' }, 'NATS_REPLICAS'],
  [{ NATS_TLS_CERT: '/cert.pem' }, 'NATS_TLS_CERT'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres:atrium' }, 'DATABASE_URL'],
  [{ FILES_URL: 's3://bucket/prefix' }, 'FILES_URL'],
  [{ FILES_URL: 's3://key:secret@bucket' }, 'FILES_URL'],
  [{ FILES_URL: 's3://bucket/pre fix' }, 'FILES_URL'],
  [{ FILES_URL: 's3://bucket?endpoint=ftp://x' }, 'FILES_URL'],
  [{ FILES_URL: 's3://bucket?endpoint=http://key:secret@x' }, 'FILES_URL'],
  [{ FILES_URL: 's3://bucket?pathStyle=yes' }, 'FILES_URL'],
  [{ FILES_URL: 's3://bucket?secret=x' }, 'FILES_URL'],
  [{ FILES_URL: 'https://bucket' }, 'FILES_URL'],
  [{ FILES_SCANNER: 'clamd:' }, 'FILES_SCANNER'],
  [{ FILES_SCANNER: 'clamd://host/path' }, 'FILES_SCANNER'],
  [{ FILES_SCANNER: 'tcp://host:3310' }, 'FILES_SCANNER'],
  [{ FILES_SCANNER: 'clamd://u:p@host' }, 'FILES_SCANNER'],
  [{ FILES_KEEP_METADATA: 'yes' }, 'FILES_KEEP_METADATA'],
  [{ SPACES_LIMIT_CAP: '500' }, 'SPACES_LIMIT_CAP'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ ATRIUM_SECRETS_KEY: 'c2hvcnQ=' }, 'ATRIUM_SECRETS_KEY'],
  [{ ATRIUM_SECRETS_KEY: ',' }, 'ATRIUM_SECRETS_KEY'],
  [{ ATRIUM_SECRETS_KEY: ' ' }, 'ATRIUM_SECRETS_KEY'],
  [{ ATRIUM_SECRETS_KEY: `"${randomBytes(32).toString('base64')}"` }, 'ATRIUM_SECRETS_KEY'],
  [{ EVENTSTORE_URL: 'http://localhost:2113' }, 'EVENTSTORE_URL'],
  [{ EVENTSTORE_URL: 'esdb://localhost:2113' }, 'EVENTSTORE_URL'],
  [{ EVENTSTORE_URL: 'esdb://localhost:2113?tls=true' }, 'EVENTSTORE_URL'],
  [{ EVENTSTORE_URL: 'esdb://localhost:2113/elsewhere?tls=false' }, 'EVENTSTORE_URL'],
  [{ PUBLIC_URL: 'atrium.example' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'https:atrium.example' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'https://user:secret@atrium.example' }, 'PUBLIC_URL'],
  [{ PROCESS_URL: 'http://user@10.0.0.1:4000' }, 'PROCESS_URL'],
  [{ OIDC_ISSUER: 'https://user:secret@id.example.org' }, 'OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'https://id.example.org?tenant=1' }, 'OIDC_ISSUER'],
  [{ SANDBOX_HOST: 'sandbox.example:65536' }, 'SANDBOX_HOST'],
  [{ PUBLIC_URL: 'https://atrium.example/?a=1' }, 'PUBLIC_URL'],
  [{ CORS_ORIGINS: ',' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'null' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'portal.example.org' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'localhost:5173' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'https://portal.example.org,some words' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'https://portal.example.org/desk' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'https://user@portal.example.org' }, 'CORS_ORIGINS'],
  [{ TRUSTED_PROXIES: 'notanip' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/' }, 'TRUSTED_PROXIES'],
  [{ METRICS_PORT: '0' }, 'METRICS_PORT'],
  [{ METRICS_PORT: '4000' }, 'METRICS_PORT'],
  [{ OTEL_TRACES_EXPORTER: 'jaeger' }, 'OTEL_TRACES_EXPORTER'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
  [{ OTEL_SDK_DISABLED: 'yes' }, 'OTEL_SDK_DISABLED'],
])('names the variable that is wrong: %j', (env, name) =>
  expect(wrong(env)).toContain(`${name}: `),
);

it.each([
  'esdb://localhost:2113?tls=false',
  'esdb://a.example:2113,b.example:2113/?nodePreference=leader&tls=false',
  'kurrentdb+discover://admin:secret@cluster.example?tls=true',
  'esdb://admin:secret@localhost:2113',
])('accepts an EventStoreDB at %s', (url) =>
  expect(configOf({ EVENTSTORE_URL: url }).eventstoreUrl).toBe(url),
);

it('traces nothing unless a collector is named, or asked for', () => {
  expect(configOf({}).tracing).toBeNull();
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
  expect(configOf(collector).tracing).toEqual({
    endpoint: 'http://collector:4318/v1/traces',
    sampling: { sampler: 'parentbased_always_on', ratio: 1 },
    serviceName: 'atrium',
    queueSpansMax: 2_048,
    sendEveryMs: 5_000,
  });
  expect(configOf({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).tracing).toBeNull();
  expect(configOf({ ...collector, OTEL_SDK_DISABLED: 'true' }).tracing).toBeNull();
  expect(
    configOf({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_SERVICE_NAME: 'desk',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }).tracing,
  ).toMatchObject({
    endpoint: 'http://localhost:4318/v1/traces',
    sampling: { sampler: 'traceidratio', ratio: 0.25 },
    serviceName: 'desk',
  });
  const whole = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
  expect(configOf({ ...collector, ...whole }).tracing?.endpoint).toBe('https://traces.example/in');
});

it('accepts proxies as addresses and networks', () =>
  expect(configOf({ TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,fd00::/8' }).trustedProxies).toEqual([
    '10.0.0.1',
    '10.1.0.0/16',
    'fd00::/8',
  ]));

it('reads origins in the form in which browsers send them', () => {
  const origins = (CORS_ORIGINS: string) => configOf({ CORS_ORIGINS }).corsOrigins;
  expect(origins('https://Portal.example.org:443/, http://localhost:5173')).toEqual([
    'https://portal.example.org',
    'http://localhost:5173',
  ]);
  expect(origins('capacitor://localhost')).toEqual(['capacitor://localhost']);
  expect(configOf({ PUBLIC_URL: 'https://desk.example.org/atrium' }).corsOrigins).toEqual([
    'https://desk.example.org',
  ]);
});

it('ignores the variables of the command line and the SDK', () =>
  expect(() =>
    configOf({
      ATRIUM_URL: 'x',
      ATRIUM_TOKEN: 'y',
      ATRIUM_PROFILE: 'z',
      ATRIUM_SANDBOX_URL: 'x',
      ATRIUM_TEST_SEED: 'x',
    }),
  ).not.toThrow());

const ready = {
  NODE_ENV: 'production',
  ATRIUM_SECRETS_KEY: randomBytes(32).toString('base64'),
  OIDC_ISSUER: 'https://id.example.org/realms/atrium/',
  PUBLIC_URL: 'https://atrium.example.org',
};

it('derives production from NODE_ENV, and an issuer without its trailing slash', () =>
  expect(configOf(ready)).toMatchObject({
    environment: 'production',
    oidcIssuer: 'https://id.example.org/realms/atrium',
  }));

it('serves tools for agents where that is switched on', () => {
  expect(configOf({ ATRIUM_MCP: 'true' }).servesMcp).toBe(true);
  expect(configOf({}).servesMcp).toBe(false);
  expect(wrong({ ATRIUM_MCP: '1' })).toMatch(/^ATRIUM_MCP/);
});

it('sends webhooks to private addresses in development alone', () => {
  expect(configOf({ WEBHOOK_ALLOW_PRIVATE: 'true' }).webhookAllowPrivate).toBe(true);
  expect(configOf({}).webhookAllowPrivate).toBe(false);
  expect(wrong({ WEBHOOK_ALLOW_PRIVATE: 'yes' })).toMatch(/^WEBHOOK_ALLOW_PRIVATE/);
  expect(wrong({ ...ready, WEBHOOK_ALLOW_PRIVATE: 'true' })).toMatch(/^WEBHOOK_ALLOW_PRIVATE/);
});

const required = Object.entries(variables)
  .filter(([, { shown }]) => shown.endsWith('required in production'))
  .map(([name]) => name);

it('starts in production with only the variables that are documented as required', () => {
  const documented = ['NODE_ENV', ...required];
  const given = Object.entries(ready).filter(([name]) => documented.includes(name));
  expect(configOf(Object.fromEntries(given)).environment).toBe('production');
});

it.each(required)('requires %s in production', (name) =>
  expect(wrong({ ...ready, [name]: '' })).toMatch(new RegExp(`^${name}.*in production`)),
);

it.each([
  ['PUBLIC_URL', 'http://atrium.example.org'],
  ['PUBLIC_URL', ''],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,::/0'],
  ['TRUSTED_PROXIES', '128.0.0.0/1,10.0.0.0/8,0.0.0.0/1'],
  ['TRUSTED_PROXIES', '8000::/1,::/2,4000::/2'],
  ['TRUSTED_PROXIES', '::ffff:0:0/96'],
  ['TRUSTED_PROXIES', '::ffff:0.0.0.0/97,128.0.0.0/1'],
  ['TRUSTED_PROXIES', '::/64'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://portal.example.org,*'],
  ['ATRIUM_SECRETS_KEY', Buffer.alloc(32).toString('base64')],
])('refuses in production, by name, %s=%s', (name, value) =>
  expect(wrong({ ...ready, [name]: value })).toMatch(new RegExp(`^${name}[: ]`)),
);

it('accepts half of all addresses as proxies, and everything in development', () => {
  const half = '0.0.0.0/1,8000::/1,::ffff:10.0.0.0/104';
  expect(configOf({ ...ready, TRUSTED_PROXIES: half }).trustedProxies).toHaveLength(3);
  expect(configOf({ TRUSTED_PROXIES: '::/0', CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
});

it('refuses a key of one repeated byte, at any position', () => {
  const [drawn, repeated] = [randomBytes(32), Buffer.alloc(32, 7)].map((key) =>
    key.toString('base64'),
  );
  expect(wrong({ ATRIUM_SECRETS_KEY: repeated! })).toMatch(
    /^ATRIUM_SECRETS_KEY.*one byte repeated/,
  );
  expect(wrong({ ATRIUM_SECRETS_KEY: `${drawn},${repeated}` })).toMatch(/^ATRIUM_SECRETS_KEY/);
});

it('reads keys in base64 of either alphabet, with or without padding', () => {
  const key = Buffer.concat([Buffer.alloc(31, 0xfb), Buffer.of(1)]);
  const texts = [key.toString('base64'), key.toString('base64url')];
  expect(configOf({ ATRIUM_SECRETS_KEY: texts.join(', ') }).secretsKeys).toEqual([key, key]);
});

it('runs the development issuer on loopback alone', () => {
  expect(wrong({ HOST: '0.0.0.0' })).toContain('HOST is not loopback');
  expect(wrong({ HOST: '127.evil.test' })).toContain('HOST is not loopback');
  expect(configOf({ HOST: '0.0.0.0', OIDC_ISSUER: 'https://id.example.org' }).host).toBe('0.0.0.0');
  expect(configOf({ HOST: '::1' }).host).toBe('::1');
});

it('accepts an http issuer only on loopback in development', () => {
  expect(configOf({ OIDC_ISSUER: 'http://localhost:8080/realms/x' }).oidcIssuer).toContain('http:');
  expect(wrong({ OIDC_ISSUER: 'http://id.example.org' })).toContain('OIDC_ISSUER m');
  expect(wrong({ ...ready, OIDC_ISSUER: 'http://localhost:8080' })).toContain('OIDC_ISSUER m');
});

const awsKey = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hidden' };

it('reads the location of a bucket, with usual defaults', () => {
  const placeOf = (FILES_URL: string) => configOf({ FILES_URL, ...awsKey }).files;
  expect(placeOf('s3://bucket')).toEqual({
    kind: 's3',
    address: {
      bucket: 'bucket',
      prefix: '',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      pathStyle: false,
    },
    credentials: { accessKeyId: 'id', secretAccessKey: 'hidden' },
  });
  const elsewhere = 's3://bucket/a/b?endpoint=http://minio:9000/&region=eu-central-1';
  expect(placeOf(elsewhere)).toMatchObject({
    address: { prefix: 'a/b/', endpoint: 'http://minio:9000', pathStyle: true },
  });
  expect(placeOf(`${elsewhere}&pathStyle=false`)).toMatchObject({ address: { pathStyle: false } });
});

it.each(['s3://x/y', 's3://My_Bucket', 's3://-bucket', 's3://bucket:9000', 's3:///prefix'])(
  'names the rule of a bucket for %s',
  (FILES_URL) =>
    expect(wrong({ FILES_URL, ...awsKey })).toBe(
      'FILES_URL: must name a bucket (3 to 63 of a-z, 0-9, . and -, no . or - at an end): ' +
        's3://bucket/prefix',
    ),
);

it('repeats no secret of a refused address of files', () => {
  for (const FILES_URL of ['s3://key:hidden@bucket', 's3://b?endpoint=http://u:hidden@x']) {
    const refused = () => configOf({ FILES_URL, ...awsKey });
    expect(refused).toThrow(BadConfiguration);
    expect(refused).not.toThrow('hidden');
  }
});
