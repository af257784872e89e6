import fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { signInRoutes } from '../../../src/api/sessions/sign-in-routes.ts';
import { SignInRefused } from '../../../src/identity/sessions/issuer-client.ts';
import { errorAnswers } from '../../../src/api/http/errors.ts';
import { FAILURE_LINE_EVERY_MS } from '../../../src/engine/limits.ts';
import { loggerOptions } from '../../../src/engine/observe/logging.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { testApi } from '../../support/api/api.ts';
import { writtenLines } from '../../support/api/written-lines.ts';

const written = writtenLines(loggerOptions('trace'));
const platform = testApi(() => ({ logger: written.logger }));

it('writes one line per request: route, caller, outcome and duration', async () => {
  await platform.as('agent@acme.test').get('/api/service-desk/requests', { 'x-request-id': 'r-1' });
  await expect.poll(written.text).toContain('"requestId":"r-1"');
  const lines = written
    .text()
    .split('\n')
    .filter((line) => line.includes('"requestId":"r-1"'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    method: 'GET',
    route: '/api/service-desk/requests',
    status: 200,
    organisation: 'acme',
    ms: expect.any(Number),
  });
});

it('never writes a credential, in any failure', async () => {
  const token = await platform.issuer.tokenOf('agent@acme.test');
  const anonymous = platform.as(null);
  const forged = `${token.slice(0, -4)}AAAA`;
  for (const one of [token, forged, 'atr_abcdefgh_secret']) {
    await anonymous.get('/api/service-desk/requests', { authorization: `Bearer ${one}` });
    await anonymous.get(`/api/service-desk/requests?search=${one}`);
  }
  const secret = token.split('.')[2]!;
  expect(written.text()).not.toContain(secret);
  expect(written.text()).not.toContain('atr_abcdefgh_secret');
});

it('redacts credentials from careless lines too', () => {
  const { logger, text } = writtenLines(loggerOptions('info'));
  logger.info({ req: { headers: { authorization: 'Bearer x1' } }, answer: { access_token: 'x2' } });
  logger.info({ token: 'x3', secret: 'x4', password: 'x5', key: { token: 'x6', secret: 'x7' } });
  expect(text()).toContain('[redacted]');
  expect(text()).not.toMatch(/x[1-7]/);
});

it('writes one line a second of a failure that every request meets, and how many did', async () => {
  const { logger, text } = writtenLines(loggerOptions('warn'));
  const app = fastify({ loggerInstance: logger }).setErrorHandler(errorAnswers());
  app.get('/', () => {
    throw new LogUnavailable('its disk is full');
  });
  const now = vi.spyOn(performance, 'now');
  const asked = async (atMs: number) => {
    now.mockReturnValue(atMs);
    expect((await app.inject('/')).statusCode).toBe(503);
  };
  for (let count = 0; count < 20; count += 1) await asked(1_000);
  await asked(1_000 + FAILURE_LINE_EVERY_MS);
  now.mockRestore();
  const lines = text().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).unlogged)).toEqual([0, 19]);
  await app.close();
});

it('writes one line a second of failed sign-ins, which anybody can cause', async () => {
  const { logger, text } = writtenLines(loggerOptions('warn'));
  const app = fastify({ loggerInstance: logger });
  const finishSignIn = () => Promise.reject(new SignInRefused('no sign-in was begun'));
  await app.register(signInRoutes, {
    sessionsFor: () => ({ finishSignIn }) as never,
    logOut: async () => {},
    elsewhere: () => null,
  });
  const now = vi.spyOn(performance, 'now');
  const asked = async (atMs: number) => {
    now.mockReturnValue(atMs);
    const { headers } = await app.inject('/session/callback?state=a');
    expect(headers.location).toBe('/?sign-in=refused');
  };
  for (let count = 0; count < 20; count += 1) await asked(1_000);
  await asked(1_000 + FAILURE_LINE_EVERY_MS);
  now.mockRestore();
  const lines = text().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).unlogged)).toEqual([0, 19]);
  await app.close();
});
