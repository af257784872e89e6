/** `atrium sandbox clock` and `env`, with a sandbox that runs. */
import { expect, it } from 'vitest';
import { testSandbox } from '../support/cli/sandbox.ts';
import { runAtrium } from '../support/servers/cli.ts';

const sandbox = testSandbox();
const run = (...words: readonly string[]) => runAtrium(sandbox().environment, ...words);
const clock = async (...words: readonly string[]) => {
  const { code, out } = await run('sandbox', 'clock', ...words);
  expect(code).toBe(0);
  return Date.parse(JSON.parse(out).now);
};

it('prints the time of the only sandbox, and advances it', async () => {
  const before = await clock();
  const after = await clock('advance', 'PT4H', '--sandbox', sandbox().name);
  expect(after - before).toBeGreaterThanOrEqual(4 * 3_600_000);
  expect(await clock('get', '--sandbox', sandbox().sandboxId)).toBeGreaterThanOrEqual(after);
  const wrong = await run('sandbox', 'clock', 'advance', 'tomorrow');
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toContain('(VALIDATION_FAILED)');
  const none = await run('sandbox', 'clock', '--sandbox', 'Nothing');
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('no sandbox Nothing') });
});

it("prints a program's environment, and a key only on request", async () => {
  const { apiUrl, platform, name } = sandbox();
  const plain = `ATRIUM_URL=${platform.address}\nATRIUM_SANDBOX_URL=${apiUrl}\n`;
  expect(await run('sandbox', 'env')).toEqual({ code: 0, out: plain, err: '' });
  const keyed = await run('sandbox', 'env', name, '--key');
  const token = /^ATRIUM_TOKEN=(atr_\w+)$/m.exec(keyed.out)?.[1];
  expect(keyed.out).toBe(`${plain}ATRIUM_TOKEN=${token}\n`);
  const environment = { ...sandbox().environment, ATRIUM_TOKEN: token! };
  const list = await runAtrium(environment, 'tickets', 'list', '--sandbox', name);
  expect(list).toMatchObject({ code: 0, err: '' });
  const json = await run('sandbox', 'env', '--json');
  expect(JSON.parse(json.out)).toEqual({
    ATRIUM_URL: platform.address,
    ATRIUM_SANDBOX_URL: apiUrl,
  });
});
