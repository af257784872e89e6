import { expect, it } from 'vitest';
import { CommandFailed, signInNeeded } from '../../packages/cli/src/failures.ts';
import { watchedSession } from '../../packages/cli/src/session/watched-session.ts';

it('ends with a session that needs a new sign-in, and with nothing else', async () => {
  const failures = [new CommandFailed('the issuer is away'), signInNeeded('sign in again')];
  const { token, ended } = watchedSession(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'token';
  });
  await expect(token()).rejects.toThrow('the issuer is away');
  expect(ended.aborted).toBe(false);
  const last = failures[0];
  await expect(token()).rejects.toBe(last);
  expect(ended.reason).toBe(last);
  expect(await token()).toBe('token');
});
