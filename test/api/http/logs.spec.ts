import { expect, it } from 'vitest';
import { loggerOptions } from '../../../src/ops/logging.ts';
import { testApi } from '../../support/api/api.ts';
import { writtenLines } from '../../support/api/written-lines.ts';

const written = writtenLines(loggerOptions('trace'));
const platform = testApi(() => ({ logger: written.logger }));

it('writes one line a request: what, by whom, how it ended, how long it took', async () => {
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

it('never writes a credential, whatever goes wrong with it', async () => {
  const token = await platform.issuer.tokenOf('agent@acme.test');
  const nobody = platform.as(null);
  const forged = `${token.slice(0, -4)}AAAA`;
  for (const one of [token, forged, 'atr_abcdefgh_secret']) {
    await nobody.get('/api/service-desk/requests', { authorization: `Bearer ${one}` });
    await nobody.get(`/api/service-desk/requests?search=${one}`);
  }
  const secret = token.split('.')[2]!;
  expect(written.text()).not.toContain(secret);
  expect(written.text()).not.toContain('atr_abcdefgh_secret');
});

it('covers what a careless line would tell', () => {
  const { logger, text } = writtenLines(loggerOptions('info'));
  logger.info({ req: { headers: { authorization: 'Bearer x1' } }, answer: { access_token: 'x2' } });
  logger.info({ token: 'x3', secret: 'x4', password: 'x5', key: { token: 'x6', secret: 'x7' } });
  expect(text()).toContain('[redacted]');
  expect(text()).not.toMatch(/x[1-7]/);
});
