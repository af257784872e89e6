/** `atrium doctor` and expiring certificates, on real servers with TLS. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { configOf } from '../../../src/config/config.ts';
import {
  certificateFiles,
  certificateParts,
  tlsEndpoints,
} from '../../../src/operator/conditions/certificate-places.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { certificatesOf } from '../../../src/operator/conditions/certificates.ts';
import { certificatesFinding } from '../../../src/operator/doctor/certificates.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { natsProgram, natsServer } from '../../support/nats/server.ts';
import { hasOpenssl } from '../../support/programs.ts';

/** Deadline on a busy machine, whose slowness is not a finding here. */
const MUCH_MS = 60_000;

const examined = (env: Record<string, string>, withinMs = MUCH_MS) =>
  certificatesFinding(configOf(env), withinMs);

it('checks every certificate that the configuration refers to', () => {
  const config = configOf({
    PUBLIC_URL: 'https://atrium.example',
    OIDC_ISSUER: 'https://id.example:8443/realms/a',
    DATABASE_URL: 'postgres://atrium:secret@db.example/atrium?sslmode=verify-full',
    SANDBOX_DATABASE_URL: 'postgres://atrium:secret@[::2]:5433/atrium?ssl=true',
    EVENTSTORE_URL:
      'esdb://admin:changeit@one.example:2113,two.example:2114?tlsCAFile=/etc/log-ca.crt',
    NATS_URL: 'tls://three.example,tls://[::1]:4223',
    NATS_TLS_CA: '/etc/nats-ca.crt',
    NATS_TLS_CERT: '/etc/nats.crt',
    NATS_TLS_KEY: '/etc/nats.key',
    FILES_URL: 's3://bucket?endpoint=https://s3.example',
    BACKUP_URL: 's3://backups?endpoint=https://backups.example',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const endpoints = tlsEndpoints(config);
  const files = certificateFiles(config);
  expect(endpoints.map(({ part, host, port }) => `${part} ${host}:${port}`)).toEqual([
    'PUBLIC_URL atrium.example:443',
    'OIDC_ISSUER id.example:8443',
    'DATABASE_URL db.example:5432',
    'SANDBOX_DATABASE_URL ::2:5433',
    'EVENTSTORE_URL one.example:2113',
    'EVENTSTORE_URL two.example:2114',
    'NATS_URL three.example:4222',
    'NATS_URL ::1:4223',
    'FILES_URL s3.example:443',
    'BACKUP_URL backups.example:443',
  ]);
  expect(files).toEqual([
    { part: 'EVENTSTORE_URL', file: '/etc/log-ca.crt', isOfAuthorities: true },
    { part: 'NATS_TLS_CERT', file: '/etc/nats.crt', isOfAuthorities: false },
    { part: 'NATS_TLS_CA', file: '/etc/nats-ca.crt', isOfAuthorities: true },
  ]);
  const parts = new Set([...endpoints, ...files].map(({ part }) => part));
  expect([...parts].toSorted()).toEqual(certificateParts.toSorted());
});

it.each(['', '?sslmode=disable', '?ssl=false'])('needs no TLS of Postgres with "%s"', (options) =>
  expect(tlsEndpoints(configOf({ DATABASE_URL: `postgres://a@db.example/a${options}` }))).toEqual(
    [],
  ),
);

it('checks no certificate where no address uses TLS', async () => {
  const finding = await examined({ EVENTSTORE_URL: 'esdb://log:2113?tls=false' });
  expect(finding.status).toBe('none');
});

describe.skipIf(!hasOpenssl())('a certificate (skipped where no openssl is installed)', () => {
  let directory: string;
  beforeAll(() => {
    directory = temporaryDirectory('certificates');
    made('authority', 2, []);
    for (const days of [2, 20, 40]) made(`own-${days}`, days, []);
    const signer = ['-CA', at('authority.crt'), '-CAkey', at('authority.key')];
    made('signed', 40, ['-addext', 'basicConstraints=critical,CA:FALSE', ...signer]);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const at = (name: string) => join(directory, name);
  const made = (name: string, days: number, more: readonly string[]) => {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', `/CN=${name}`, '-days', String(days)];
    const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files, ...more], {
      stdio: 'ignore',
    });
  };
  const listening = async (server: Server): Promise<string> => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** A server that presents the certificate, followed by those of `others`. */
  const showing = (name: string, ...others: readonly string[]): Promise<string> => {
    const chain = [name, ...others].map((one) => readFileSync(at(`${one}.crt`), 'utf8'));
    const server = createServer({ key: readFileSync(at(`${name}.key`)), cert: chain.join('') });
    server.on('tlsClientError', () => {});
    return listening(server);
  };

  it.each([
    ['own-40', 'ok', 39],
    ['own-20', 'warned', 19],
    ['own-2', 'failed', 1],
  ] as const)('%s is %s', async (name, status, days) => {
    const url = await showing(name);
    const place = url.replace('https://', '');
    expect(await examined({ PUBLIC_URL: url })).toEqual({
      status,
      detail: `PUBLIC_URL ${place} ends in ${days} days`,
    });
  });

  it('expires with the first expiring one of its chain', async () => {
    const url = await showing('signed', 'authority');
    expect((await examined({ OIDC_ISSUER: url, ATRIUM_ENV: 'development' })).status).toBe('failed');
  });

  it('is judged separately, and the worst one decides', async () => {
    const [good, bad] = [await showing('own-40'), await showing('own-2')];
    const { status, detail } = await examined({ PUBLIC_URL: good, OIDC_ISSUER: bad });
    expect(status).toBe('failed');
    expect(detail).toContain('OIDC_ISSUER');
    expect(detail).not.toContain('PUBLIC_URL');
  });

  it('that cannot be read is a warning, also from a silent server, within seconds', async () => {
    const mute = createPlainServer((socket) => {
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
    });
    const finding = await examined({ PUBLIC_URL: await listening(mute) }, 200);
    expect(finding.status).toBe('warned');
    expect(finding.detail).toContain('cannot be read: it shows no certificate in time');
    const gone = await examined({ PUBLIC_URL: 'https://127.0.0.1:1' });
    expect(gone).toMatchObject({ status: 'warned', detail: expect.stringContaining('REFUSED') });
  });

  /** A Postgres that replies `answer` to a TLS request. */
  const postgresShowing = (name: string, answer: string): Promise<string> => {
    const files = { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.crt`)) };
    return listening(
      createPlainServer((socket) => {
        socket.on('error', () => {});
        onTestFinished(() => void socket.destroy());
        socket.once('data', (asked: Buffer) => {
          expect([...asked]).toEqual([0, 0, 0, 8, 4, 210, 22, 47]);
          socket.write(answer);
          if (answer !== 'S') return;
          const secure = new TLSSocket(socket, { isServer: true, ...files });
          secure.on('error', () => {});
        });
      }),
    );
  };

  it('of Postgres is read after it has accepted TLS', async () => {
    const place = (await postgresShowing('own-20', 'S')).replace('https://', '');
    const DATABASE_URL = `postgres://atrium:hidden@${place}/atrium?sslmode=require`;
    expect(await examined({ DATABASE_URL })).toEqual({
      status: 'warned',
      detail: `DATABASE_URL ${place} ends in 19 days`,
    });
    const without = (await postgresShowing('own-20', 'N')).replace('https://', '');
    expect(
      await examined({ DATABASE_URL: `postgres://atrium@${without}/atrium?sslmode=require` }),
    ).toMatchObject({ status: 'warned', detail: expect.stringContaining('it has no TLS') });
  });

  it('in a file expires with the last of its authorities, or the first of its chain', async () => {
    const both = ['own-2', 'own-40'].map((name) => readFileSync(at(`${name}.crt`), 'utf8'));
    writeFileSync(at('both.crt'), both.join(''));
    const files = (one: Record<string, string>) =>
      certificatesOf(configOf({ NATS_URL: 'nats://127.0.0.1:1', ...one }), MUCH_MS).then((found) =>
        found.filter(({ part }) => part !== 'NATS_URL'),
      );
    const days = (endMs: number | null) => Math.round((endMs! - Date.now()) / DAY_MS);
    const [authorities] = await files({ NATS_TLS_CA: at('both.crt') });
    expect([authorities!.part, days(authorities!.endMs)]).toEqual(['NATS_TLS_CA', 40]);
    const key = at('own-2.key');
    const [own] = await files({ NATS_TLS_CERT: at('both.crt'), NATS_TLS_KEY: key });
    expect([own!.part, days(own!.endMs)]).toEqual(['NATS_TLS_CERT', 2]);
    const [none] = await files({ NATS_TLS_CA: key });
    expect(none).toMatchObject({ endMs: null, error: 'it has no certificate' });
  });

  it.skipIf(!natsProgram())('of NATS is read after its greeting', async () => {
    const files = `cert_file: "${at('own-20.crt')}", key_file: "${at('own-20.key')}"`;
    const server = await natsServer({ config: `tls { ${files} }` });
    onTestFinished(() => server.release());
    await server.start();
    const NATS_URL = server.url.replace('nats:', 'tls:');
    expect(await examined({ NATS_URL })).toMatchObject({
      status: 'warned',
      detail: expect.stringMatching(/^NATS_URL 127\.0\.0\.1:\d+ ends in 19 days$/),
    });
  });
});
