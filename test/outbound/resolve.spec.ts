import { describe, expect, it } from 'vitest';
import { nameServers } from '../../src/outbound/resolve.ts';

/** Answers with addresses, or fails with a code. */
const answering = (answer: readonly string[] | string) => async () => {
  if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
  return answer;
};
const resolving = (v4: readonly string[] | string, v6: readonly string[] | string) =>
  nameServers({ resolve4: answering(v4), resolve6: answering(v6) })('hook.example.org');

describe('the addresses of a name', () => {
  it('are those of both families, IPv4 first', async () => {
    expect(await resolving(['1.1.1.1'], ['2606:4700::1'])).toEqual(['1.1.1.1', '2606:4700::1']);
    expect(await resolving(['1.1.1.1'], 'ENODATA')).toEqual(['1.1.1.1']);
    expect(await resolving('ENODATA', ['2606:4700::1'])).toEqual(['2606:4700::1']);
  });

  it('are none if the name does not exist', async () => {
    expect(await resolving('ENOTFOUND', 'ENOTFOUND')).toEqual([]);
  });

  it.each(['ESERVFAIL', 'ETIMEOUT', 'EREFUSED'])(
    'are unknown if one family fails by %s, which may hide one that must not be reached',
    async (code) => {
      await expect(resolving(['1.1.1.1'], code)).rejects.toMatchObject({ code });
      await expect(resolving(code, ['2606:4700::1'])).rejects.toMatchObject({ code });
    },
  );
});
