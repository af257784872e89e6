import { expect, it } from 'vitest';
import { banner } from '../../src/config/banner.ts';

it('names the address that the server has, in every command', () => {
  const shown = banner('http://localhost:4321', 1.25);
  expect(shown).not.toContain('4000');
  expect(shown).toContain('export ATRIUM_URL=http://localhost:4321\n');
  const addresses = shown.match(/(?:https?:\/\/|\$ATRIUM_URL)\S*/g);
  expect(addresses).not.toBeNull();
  for (const address of addresses!)
    expect(address).toMatch(/^(http:\/\/localhost:4321|\$ATRIUM_URL)(\/|$)/);
});
