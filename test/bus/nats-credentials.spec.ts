/** Authentication to NATS, on real servers. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/bus/nats/layout.ts';
import type { Nats } from '../../src/bus/nats/nats.ts';
import { linkTo, type LinkOptions } from '../support/consumers/nats-bus.ts';
import { natsAccount } from '../support/nats/accounts.ts';
import { natsProgram, natsServer, type NatsServer } from '../support/nats/server.ts';
import { hasOpenssl } from '../support/programs.ts';
import { text } from '../support/sources.ts';
import { until } from '../support/until.ts';

describe.skipIf(!natsProgram())('NATS (skipped where no nats-server is installed)', () => {
  let directory: string;
  let server: NatsServer | null;
  let links: Nats[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'atrium-nats-files-'));
    server = null;
    links = [];
  });
  afterEach(async () => {
    for (const link of links) await link.close();
    await server?.release();
    rmSync(directory, { recursive: true, force: true });
  });

  const started = async (config: string): Promise<string> => {
    server = await natsServer({ config });
    await server.start();
    return new URL(server.url.replace('nats:', 'http:')).host;
  };
  const link = (
    url: string,
    files: Pick<LinkOptions, 'credentialsFile' | 'caFile' | 'certFile' | 'keyFile'> = {},
  ): Nats => {
    const made = linkTo([url], { prefix: 'p', ...files });
    links.push(made);
    return made;
  };
  const letIn = (one: Nats) => until(() => one.ready() === true, `being let in: ${one.ready()}`);
  const keptOut = async (one: Nats, why: RegExp) => {
    await until(() => why.test(String(one.ready())), 'the refusal');
    expect(one.ready()).not.toContain('wrong');
  };
  /** An authority, its certificates of the server and of a client, and one of another authority. */
  const certified = () => {
    const made = (words: string) =>
      execFileSync('openssl', words.split(' '), { cwd: directory, stdio: 'ignore' });
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 2';
    const byAuthority = '-addext basicConstraints=critical,CA:FALSE -CA ca.crt -CAkey ca.key';
    made(`${request} -subj /CN=ca -keyout ca.key -out ca.crt`);
    made(`${request} -subj /CN=other -keyout other.key -out other.crt`);
    made(
      `${request} -subj /CN=nats -addext subjectAltName=IP:127.0.0.1,DNS:localhost ` +
        `${byAuthority} -keyout nats.key -out nats.crt`,
    );
    made(`${request} -subj /CN=atrium ${byAuthority} -keyout atrium.key -out atrium.crt`);
    const at = (name: string) => join(directory, name);
    return { at, ofServer: `cert_file: "${at('nats.crt')}", key_file: "${at('nats.key')}"` };
  };
  const file = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };

  it('accepts a user with password, and reports a refused one without the password', async () => {
    const host = await started('authorization { user: atrium, password: "p@ss:word" }');
    await letIn(link(`nats://atrium:p%40ss%3Aword@${host}`));
    await keptOut(link(`nats://atrium:wrong@${host}`), /authorization/i);
    await keptOut(link(`nats://${host}`), /authorization/i);
  });

  it('works with the permissions of the operating page, which exclude others', async () => {
    const [, accounts] = /```\n(accounts \{[^`]+)```/.exec(text('docs/operating/nats.md'))!;
    const host = await started(accounts!.replace('$ATRIUM', '"ours"').replace('$CAFM', '"theirs"'));
    const one = linkTo([`nats://atrium:ours@${host}`], {
      prefix: 'atrium',
      layout: layoutOf('atrium'),
    });
    links.push(one);
    await letIn(one);
    const nc = await connect({ servers: host, user: 'cafm', pass: 'theirs' });
    const js = jetstream(nc);
    const building = 'atrium.building.0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
    await js.publish(`${building}.cafm.work-order.created`, '{}');
    await expect(js.publish(`${building}.service-desk.ticket.created`, '{}')).rejects.toThrow(
      /permissions/i,
    );
    const message = { id: 'm', headers: {}, body: '{}' };
    await one.publish({ ...message, subject: `${building}.service-desk.ticket.created` });
    const stop = new AbortController();
    for await (const delivered of (await one.inbound()).deliveries(stop.signal)) {
      expect(delivered.subject).toBe(`${building}.cafm.work-order.created`);
      delivered.acknowledge();
      stop.abort();
    }
    await until(async () => (await one.behind()).events === 0);
    await nc.close();
  });

  it('accepts a token', async () => {
    const host = await started('authorization { token: "s3cret" }');
    await letIn(link(`nats://s3cret@${host}`));
    await keptOut(link(`nats://wrong@${host}`), /authorization/i);
  });

  it('accepts an nkey, and reads its file again after a rotation', async () => {
    const [ours, theirs] = [nkeys.createUser(), nkeys.createUser()];
    const seedOf = (pair: typeof ours) => new TextDecoder().decode(pair.getSeed());
    const host = await started(`authorization { users: [{ nkey: ${ours.getPublicKey()} }] }`);
    const credentialsFile = file('seed', `${seedOf(theirs)}\n`);
    const one = link(`nats://${host}`, { credentialsFile });
    await keptOut(one, /authorization/i);
    writeFileSync(credentialsFile, `${seedOf(ours)}\n`);
    await letIn(one);
    await keptOut(link(`nats://${host}`, { credentialsFile: file('none', '') }), /./);
    await keptOut(link(`nats://${host}`, { credentialsFile: join(directory, 'x') }), /ENOENT/);
  });

  it('accepts a user of an account by JWT, and reads its file again after a rotation', async () => {
    const { config, ours, theirs } = natsAccount();
    const host = await started(config);
    const credentialsFile = file('atrium.creds', theirs());
    const one = link(`nats://${host}`, { credentialsFile });
    await keptOut(one, /authorization/i);
    writeFileSync(credentialsFile, ours());
    await letIn(one);
    await one.publish({ id: 'm', headers: {}, body: '{}', subject: 'p.building.b.told.all' });
    await keptOut(link(`nats://${host}`), /authorization/i);
  });

  it.skipIf(!hasOpenssl())('is authenticated by TLS (skipped without openssl)', async () => {
    const certificates = certified();
    const host = await started(`tls { ${certificates.ofServer} }`);
    const { at } = certificates;
    await letIn(link(`tls://${host}`, { caFile: at('ca.crt') }));
    await keptOut(link(`tls://${host}`, { caFile: at('other.crt') }), /certificate|verify|self/i);
  });

  it.skipIf(!hasOpenssl())(
    'accepts a client certificate where the server requires one (skipped without openssl)',
    async () => {
      const { ofServer, at } = certified();
      const host = await started(`tls { ${ofServer}, ca_file: "${at('ca.crt')}", verify: true }`);
      const caFile = at('ca.crt');
      const ours = { certFile: at('atrium.crt'), keyFile: at('atrium.key') };
      await letIn(link(`tls://${host}`, { caFile, ...ours }));
      await keptOut(link(`tls://${host}`, { caFile }), /certificate/i);
      const theirs = { certFile: at('other.crt'), keyFile: at('other.key') };
      await keptOut(link(`tls://${host}`, { caFile, ...theirs }), /./);
    },
  );
});
