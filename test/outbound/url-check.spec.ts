import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedUrl, urlRefusals, type UrlRefusal } from '../../src/outbound/url-check.ts';

const outside = { allowPrivate: false };
const development = { allowPrivate: true };
const refusal = (text: string, reach = outside) => {
  const url = checkedUrl(text, reach);
  return typeof url === 'string' ? url : null;
};

const hostile: Readonly<Record<Exclude<UrlRefusal, 'not_resolvable'>, readonly string[]>> = {
  not_a_url: [
    '',
    ' ',
    'example.org',
    '//example.org/',
    'https:',
    'https://',
    'https:/127.0.0.1/',
    'https:127.0.0.1',
    'https:///127.0.0.1/',
    'https:\\\\127.0.0.1\\',
    'https://example.org\\@127.0.0.1/',
    ' https://example.org/',
    'https://example.org/ ',
    'https://example.org/a b',
    'https://exa\nmple.org/',
    'https://exa\tmple.org/',
    'https://example.org/\r\nHost: internal',
    'https://example.org/\u0000',
    'https://exam\u00adple.org/',
    'https://exam\u200bple.org/',
    'https://example.org/\u2028',
    'https://example.org/\ud800',
    'https://%31%32%37.0.0.1/',
    'https://127%2e0.0.1/',
    'https://%65xample.org/',
    'https://[fe80::1%25eth0]/',
    'https://[::1',
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    'https://*.example.org/',
    'https://-example.org/',
    'https://example..org/',
    'https://example.org../',
    'https://.example.org/',
    `https://${'a'.repeat(64)}.org/`,
    `https://${'a.'.repeat(130)}org/`,
    `https://example.org/${'a'.repeat(2_048)}`,
    'https://example.org:99999/',
    'https://example.org:80a/',
    'https://xn--/',
  ],
  not_https: [
    'http://example.org/',
    'http://127.0.0.1/',
    'HTTP://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'javascript:alert(1)',
    'data:text/plain,hello',
    'ws://example.org/',
    'unix:/var/run/docker.sock',
  ],
  has_credentials: [
    'https://user@example.org/',
    'https://user:password@example.org/',
    'https://@example.org/',
    'https://:@example.org/',
    'https://example.org@127.0.0.1/',
    'https://example.org:443@127.0.0.1/',
  ],
  has_fragment: [
    'https://example.org/#',
    'https://example.org/#a',
    'https://example.org#@127.0.0.1',
  ],
  blocked_port: ['22', '25', '0', '53', '143', '389', '587', '2049', '6000', '6667', '10080'].map(
    (port) => `https://example.org:${port}/`,
  ),
  reserved_name: [
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://intranet/',
    'https://postgres:8443/',
    'https://kubernetes.default.svc.cluster.local/',
    'https://app.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://host.docker.internal/',
    'https://router.home.arpa/',
    'https://service.test/',
    'https://www.example/',
    'https://pinned.invalid/',
    'https://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/',
    'https://metadata.goog/',
    'https://metadata.tencentyun.com/latest/meta-data/',
  ],
  odd_address: [
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.0.0.1./',
    'https://00127.0.0.1/',
    'https://127.0.0.01/',
    'https://0/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://8.8.2056/',
    'https://134744072/',
  ],
  not_public: [
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://10.0.0.1/',
    'https://172.16.5.4/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:53aa:64c::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
  ],
};

describe.each(Object.entries(hostile))('refuses as %s', (reason, urls) => {
  it.each(urls)('%j', (url) => expect(refusal(url)).toBe(reason));
});

it('returns the first matching reason, in the order of the contract', () => {
  const url = 'http://user@localhost:22/#a';
  expect(refusal(url)).toBe('not_https');
  expect(refusal(url, development)).toBe('has_credentials');
  expect(refusal('https://localhost:22/#a')).toBe('has_fragment');
  expect(refusal('https://localhost:22/')).toBe('blocked_port');
  expect(refusal('https://localhost/')).toBe('reserved_name');
  expect(refusal('https://0x7f.1:22/')).toBe('blocked_port');
  expect(urlRefusals.indexOf('reserved_name')).toBeLessThan(urlRefusals.indexOf('odd_address'));
});

it.each([
  ['https://example.org/hook?a=1', 'example.org'],
  ['https://example.org./hook', 'example.org'],
  ['https://my_hook.example.com/', 'my_hook.example.com'],
  ['https://EXAMPLE.org', 'example.org'],
  ['https://example.org:8443/', 'example.org'],
  ['https://münchen.de/', 'xn--mnchen-3ya.de'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
])('accepts %s', (url, host) => expect(checkedUrl(url, outside)).toMatchObject({ host }));

describe('in development, where private addresses are allowed', () => {
  it.each([
    'http://localhost:9000/',
    'http://127.0.0.1:9000/',
    'http://10.0.0.1/',
    'http://[::1]:9000/',
    'https://192.168.1.5/',
  ])('accepts %s', (url) => expect(refusal(url, development)).toBeNull());

  it.each([
    ['http://169.254.169.254/', 'not_public'],
    ['http://100.64.0.1/', 'not_public'],
    ['http://224.0.0.1/', 'not_public'],
    ['http://[fd00:ec2::254]/', 'not_public'],
    ['http://[fe80::1]/', 'not_public'],
    ['http://metadata.google.internal/', 'reserved_name'],
    ['http://app.localhost/', 'reserved_name'],
    ['http://0x7f.1/', 'odd_address'],
  ])('still refuses %s as %s', (url, reason) => expect(refusal(url, development)).toBe(reason));
});

it('never accepts an address that is not public, in any notation', () => {
  const octet = fc.nat(255);
  const inside = fc.constantFrom(
    [127, 0, 0, 1],
    [10, 1, 2, 3],
    [172, 20, 0, 1],
    [192, 168, 4, 4],
    [169, 254, 169, 254],
    [168, 63, 129, 16],
    [100, 64, 9, 9],
  );
  const number = (parts: readonly number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);
  const written = (parts: readonly number[], form: number): string => {
    const [a = 0, b = 0, c = 0, d = 0] = parts;
    const hex = number(parts).toString(16).padStart(8, '0');
    const pair = `${hex.slice(0, 4)}:${hex.slice(4)}`;
    const forms = [
      parts.join('.'),
      String(number(parts)),
      `0x${hex}`,
      `0${number(parts).toString(8)}`,
      `${a}.${number([b, c, d])}`,
      `${a}.${b}.${number([c, d])}`,
      parts.map((part) => `0${part.toString(8)}`).join('.'),
      parts.map((part) => `0x${part.toString(16)}`).join('.'),
      `[::ffff:${pair}]`,
      `[::ffff:${parts.join('.')}]`,
      `[::${pair}]`,
      `[64:ff9b::${pair}]`,
      `[2002:${pair}::]`,
      `[2001:0:${pair}::1]`,
      parts.join('。'),
      `${parts.join('.')}.`,
    ];
    return forms[form % forms.length]!;
  };
  fc.assert(
    fc.property(inside, octet, fc.nat(15), fc.nat(65_535), (parts, last, form, port) => {
      const address = parts[0] === 10 ? [...parts.slice(0, 3), last] : parts;
      expect(refusal(`https://${written(address, form)}:${port}/`)).not.toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

it('never throws for a text, and accepts only URLs that a parser leaves unchanged', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
      const url = checkedUrl(text, outside);
      if (typeof url === 'string') return;
      expect(url.href.startsWith('https://')).toBe(true);
      expect(new URL(url.href).username).toBe('');
    }),
    { numRuns: 2_000 },
  ));
