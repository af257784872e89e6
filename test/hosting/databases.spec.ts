import { expect, it } from 'vitest';
import { actionable } from '../../src/hosting/databases.ts';

it('knows what people can do something about, also where it is the cause of another', () => {
  const full = Object.assign(new Error('No space left on device'), { code: '53100' });
  for (const error of [full, new Error('the log', { cause: full })])
    expect(actionable(error)).toMatchObject({ message: expect.stringContaining('disk') });
  const other = new Error('other');
  expect(actionable(other)).toBe(other);
});
