/** The OpenAPI document of a sandbox: the routes of its address. contract.md section 4. */
import { beforeAll, expect, it } from 'vitest';
import main from '../../../openapi.json' with { type: 'json' };
import { testApi } from '../../support/api/api.ts';

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const sandbox = testApi(() => ({ isSandbox: true, generatesDocument: true, timeTravel: true }));
let document: { readonly paths: Paths; readonly servers: readonly unknown[] };

beforeAll(async () => {
  document = (await sandbox.as(null).get('/openapi.json')).body;
});

const operationsOf = (paths: Paths): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** Without a credential, a served route that is not public is a 401, and any other a 404. */
const isServed = async (operation: string): Promise<boolean> => {
  const [method, path] = operation.split(' ') as [string, string];
  const url = `${sandbox.address}${path.replaceAll(/\{\w+\}/g, 'none')}`;
  const { status } = await fetch(url, { method });
  return status !== 404 && status !== 405;
};

it('equals the committed copy', async () => {
  const printed = `${JSON.stringify(document, null, 2)}\n`;
  await expect(printed).toMatchFileSnapshot('../../../openapi-sandbox.json');
});

it('has exactly the served operations', async () => {
  const own = operationsOf(document.paths);
  const missing = operationsOf(main.paths).filter((operation) => !own.includes(operation));
  expect(own.length).toBeGreaterThan(80);
  expect(missing).toEqual(
    expect.arrayContaining([
      'POST /api/v1/keys',
      'POST /api/v1/sandboxes',
      'GET /api/v1/snapshots',
    ]),
  );
  for (const operation of own)
    expect([operation, await isServed(operation)]).toEqual([operation, true]);
  for (const operation of missing)
    expect([operation, await isServed(operation)]).toEqual([operation, false]);
});

it('names the refusals of its address in every operation that is not public', () => {
  const lacking = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { security, responses } = operation as {
        readonly security: readonly unknown[];
        readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
      };
      const named = '404' in responses && '429' in responses;
      const isNamed = named && responses['503']?.$ref?.includes('SandboxNotReady');
      return security.length === 0 || isNamed ? [] : [`${method} ${path}`];
    }),
  );
  expect(lacking).toEqual([]);
});

it('describes the server that it is read from', () => {
  expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
});
