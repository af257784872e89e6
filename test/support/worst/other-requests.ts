/** Expensive requests to shared routes: the document, the audit, credentials, sandbox addresses. */
import type { Furnished } from './furnish.ts';
import type { WorstRequest } from './requests.ts';

const request = (
  name: string,
  path: string,
  role: string,
  more: Partial<WorstRequest> = {},
): WorstRequest => ({ name, operation: null, method: 'GET', path, role, ...more });

export const otherRequests = ({ sandboxHost }: Furnished): readonly WorstRequest[] => [
  request("the API's own document", '/openapi.json', 'viewer'),
  request("the reference page's script", '/docs/js/scalar.js', 'viewer'),
  request('all that the audit has', '/api/v1/keys/audit?limit=500', 'manager'),
  request('all that the audit has, as a table', '/api/v1/keys/audit', 'manager', {
    headers: { accept: 'text/csv' },
  }),
  ...['.'.repeat(8_000), 'a.'.repeat(4_000), `${'eyJ'.repeat(2_600)}.e30.x`].map((token, at) =>
    request(`a credential that is none, ${at}`, '/api/v1/me', 'viewer', {
      headers: { authorization: `Bearer ${token}` },
    }),
  ),
  request('the longest path', `/${'a/'.repeat(7_000)}`, 'viewer'),
  request('a path of escapes', `/api/v1/buildings/${'%F0%9F%98%80'.repeat(600)}`, 'viewer'),
  ...(sandboxHost === null
    ? []
    : [
        ...['/openapi.json', '/docs', '/api/service-desk/requests'].map((path) =>
          request(`a sandbox's ${path}`, path, 'manager', { host: sandboxHost }),
        ),
        request("a sandbox's clock, an hour on", '/api/v1/clock', 'manager', {
          host: sandboxHost,
          method: 'POST',
          body: () => JSON.stringify({ advance: 'PT1H' }),
        }),
      ]),
];
