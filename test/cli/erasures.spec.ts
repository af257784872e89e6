/** `atrium erasures …`, as somebody types them. */
import { describe, expect, it } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { commandLine, followed } from '../support/cli/command-line.ts';

const platform = testApi(() => ({ personKeysTrustedMs: 0 }));
const { as } = commandLine(platform);
const erasures = (...words: readonly string[]) => as('manager@acme.test', 'erasures', ...words);
const CREATE = ['create', '--texts', 'keep', '--reason', 'Letter of 1 May', '--yes'];

describe('atrium erasures', () => {
  it('erases a person, waits for it, and shows and lists the erasure', async () => {
    const made = await erasures(...CREATE, '--email', 'gone@example.com', '--wait');
    expect(made.json()).toMatchObject({ status: 'finished', found: { tickets: 0 } });
    const { erasureId } = made.json();
    expect((await erasures('get', erasureId)).json()).toEqual(made.json());
    const listed = await followed(
      () => erasures('list', '--limit', '5'),
      ({ items }) => items.length === 1,
    );
    expect(listed.items).toMatchObject([{ erasureId, texts: 'keep', reason: 'Letter of 1 May' }]);
  });

  it.each([[[]], [['--email', 'a@example.com', '--user', 'a']]])(
    'refuses %j, which is not one person',
    async (who) => {
      const refused = await erasures(...CREATE, ...who);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain('either --email or --user');
    },
  );
});
