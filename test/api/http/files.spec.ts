import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const platform = testApi();

const get = (path: string, headers: Record<string, string>) =>
  fetch(`${platform.address}${path}`, { headers });

describe.each([
  ['/openapi.json', 'application/json'],
  ['/docs/js/scalar.js', 'application/javascript'],
])('%s', (path, type) => {
  it.each(['gzip', 'br'])('is the same text in %s for clients that accept it', async (coding) => {
    const plain = await get(path, { 'accept-encoding': 'identity' });
    const compressed = await get(path, { 'accept-encoding': coding });
    expect([plain.status, compressed.status]).toEqual([200, 200]);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(compressed.headers.get('content-encoding')).toBe(coding);
    expect(compressed.headers.get('content-type')).toContain(type);
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(
      Number(plain.headers.get('content-length')) / 3,
    );
    expect(await compressed.text()).toBe(await plain.text());
    for (const { headers } of [plain, compressed]) {
      expect(headers.get('vary')).toContain('accept-encoding');
      expect(headers.get('cache-control')).toBe('public, no-cache');
    }
  });

  it('is not sent again to a client that has it', async () => {
    const tag = (await get(path, {})).headers.get('etag')!;
    const again = await get(path, { 'if-none-match': tag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get(path, { 'if-none-match': '*' })).status).toBe(304);
    for (const other of ['W/"other"', `"other-${tag}`])
      expect((await get(path, { 'if-none-match': other })).status).toBe(200);
  });
});
