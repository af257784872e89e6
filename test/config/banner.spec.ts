import { expect, it } from 'vitest';
import { banner, type StartFacts } from '../../src/config/banner.ts';
import { configOf } from '../../src/config/config.ts';
import { startFacts } from '../../src/operator/start-facts.ts';
import { text } from '../support/sources.ts';

const facts = (env: Record<string, string>): StartFacts => startFacts(configOf(env));

it('names the address that the server has, in every command', () => {
  const shown = banner(facts({ PORT: '4321' }), 1.25);
  expect(shown).not.toContain('4000');
  expect(shown).toContain('export ATRIUM_URL=http://localhost:4321\n');
  const addresses = shown.match(/(?:https?:\/\/|\$ATRIUM_URL)\S*/g);
  expect(addresses).not.toBeNull();
  for (const address of addresses!)
    expect(address).toMatch(/^(http:\/\/localhost:4321|\$ATRIUM_URL)(\/|$)/);
});

it("equals the README's, except for installation-specific lines", () => {
  const [shown] = /^ {2}Atrium \S+ \(\w+\) is ready.*?everything is kept\.$/ms.exec(
    text('README.md'),
  )!;
  const [, version, commit, seconds] = /^ {2}Atrium (\S+) \((\w+)\) is ready \((\S+) s/.exec(
    shown,
  )!;
  const env = { ATRIUM_DATA: '/home/me/atrium/.atrium', ATRIUM_COMMIT: commit! };
  const its = { ...facts(env), version: version!, node: '24.21.0' };
  expect(banner(its, Number(seconds)).trimEnd()).toBe(`\n${shown}`);
});

/** As in production: nothing of its own, and a secret wherever one can be. */
const production = {
  ATRIUM_ENV: 'production',
  ATRIUM_SECRETS_KEY: Buffer.from('planted-secret-0-planted-secret-').toString('base64'),
  ATRIUM_COMMIT: '0123456789abcdef',
  OIDC_ISSUER: 'https://id.example',
  PUBLIC_URL: 'https://atrium.example',
  DATABASE_URL: 'postgres://atrium:planted-secret-1@db:5432/atrium?password=planted-secret-2',
  EVENTSTORE_URL: 'esdb://admin:planted-secret-3@log:2113?tls=true',
  NATS_URL: 'nats://planted-secret-4@nats:4222',
  METRICS_PORT: '9464',
};

it('has the version, the addresses and the storage', () => {
  const shown = banner(facts(production), 1);
  expect(shown).toContain('(01234567) is ready (1.0 s), production, Node ');
  for (const [name, what] of [
    ['Portal', 'https://atrium.example'],
    ['API reference', 'https://atrium.example/docs'],
    ['Metrics', 'http://127.0.0.1:9464/metrics'],
    ['Log', 'esdb://log:2113'],
    ['Database', 'postgres://db:5432/atrium'],
    ['Sign in as', 'at https://id.example'],
  ])
    expect(shown).toMatch(new RegExp(`^ {4}${name} +${what!.replaceAll('.', '\\.')}$`, 'm'));
  expect(shown).not.toContain('dev-token');
});

it('has no secret, neither as lines nor as fields of the log', () => {
  const shown = banner(facts(production), 1) + JSON.stringify(facts(production));
  expect(shown).not.toContain('planted');
  expect(shown).not.toContain(production.ATRIUM_SECRETS_KEY);
});

it('names no pages that this process does not serve', () => {
  const shown = banner(facts({ ...production, ATRIUM_ROLES: 'processes', METRICS_PORT: '' }), 1);
  expect(shown).not.toMatch(/Portal|API reference/);
  expect(shown).toContain('not served: METRICS_PORT is not set');
});
