/**
 * The promises this code base makes about itself. The first table is the architecture diagram; a
 * rule of the house that is not checked here is a wish.
 */
import { describe, expect, it } from 'vitest';
import {
  circlesIn,
  code,
  filesOf,
  importsOf,
  linesWhere,
  strings,
  text,
} from './support/sources.ts';

const sources = filesOf('src/**/*.ts');
const written = filesOf('{src,test,bench}/**/*.ts', 'packages/*/{src,scripts}/**/*.{ts,tsx}')
  // Printed from openapi.json.
  .filter((path) => path !== 'packages/sdk/src/openapi.ts');

/**
 * Layer → what it may import besides itself, from the inside out: a layer imports only from those
 * above it. `node:` is any part of Node. A folder that is not named here has no place yet.
 */
const layers: Readonly<Record<string, string>> = {
  'src/limits': '',
  'src/domain': 'src/limits zod',
  'src/ops': 'src/domain src/limits node: pino prom-client',
  'src/outbound': 'src/limits src/ops node: undici',
  'src/identity': 'src/domain src/limits src/ops node:',
  'src/identity/oidc': 'src/identity src/domain src/limits src/ops node: jose pino zod',
  'src/identity/development': `src/identity src/domain src/limits src/ops node: fastify jose
    oidc-provider pino uuid zod`,
  'src/config': 'src/limits src/identity/oidc src/identity/development node:',
  'src/tracing': 'src/config src/limits src/ops node: @opentelemetry/',
  'src/db': 'src/domain src/limits src/ops node: kysely kysely/migration pg uuid',
  'src/store': 'src/domain src/limits src/ops src/db node: @eventstore/db-client pg uuid zod',
  'src/identity/keys': 'src/identity src/domain src/store src/limits src/ops node: uuid',
  'src/consumers': 'src/domain src/store src/db src/limits src/ops node: pg',
  'src/graph': 'src/domain src/store src/db src/limits src/ops node: kysely pg uuid',
  'src/telemetry': `src/domain src/store src/graph src/db src/limits src/ops node: pg
    pg-copy-streams uuid`,
  'src/use-cases': 'src/domain src/store src/graph src/identity/keys uuid',
  'src/bus/bus': 'src/domain src/store',
  'src/projections': `src/domain src/store src/consumers src/db src/limits src/ops node: kysely pg
    pg-copy-streams`,
  'src/feed': 'src/domain src/store src/limits src/ops',
  'src/processes': `src/domain src/store src/bus/bus src/consumers src/graph src/telemetry
    src/projections src/feed src/db src/limits src/ops node: pg uuid`,
  'src/deliveries': `src/domain src/store src/consumers src/outbound src/projections src/processes
    src/db src/limits src/ops node: pg uuid`,
  'src/bus': `src/domain src/store src/bus/bus src/consumers src/processes src/db src/limits src/ops
    node: @nats-io/ pg uuid zod`,
  'src/imports':
    'src/domain src/graph src/telemetry src/db src/limits src/ops node: pg uuid web-ifc',
  'src/api': `src/domain src/store src/bus src/bus/bus src/consumers src/projections src/feed
    src/processes src/graph src/telemetry src/imports src/use-cases src/outbound src/identity
    src/identity/keys src/db src/limits src/ops src/config package.json node: fastify
    @fastify/ fastify-type-provider-zod @scalar/ kysely pg prom-client socket.io uuid zod`,
  'src/capabilities': `src/domain src/store src/bus src/bus/bus src/consumers src/projections
    src/feed src/processes src/graph src/telemetry src/imports src/use-cases src/outbound
    src/deliveries src/identity src/identity/keys src/api src/db src/limits src/ops fastify`,
  'src/demo': 'src/domain src/store src/graph src/use-cases src/ops uuid',
  'src/compose': `src/capabilities src/bus src/consumers src/processes src/projections src/store
    src/api src/identity src/identity/keys src/outbound src/db src/limits src/ops src/config node:
    fastify`,
  'src/hosting': `src/compose src/api src/consumers src/processes src/projections src/graph
    src/telemetry src/imports
    src/use-cases src/outbound src/identity src/identity/keys src/domain src/store src/db
    src/limits src/ops node: pg uuid`,
  'src/operator': `src/compose src/bus src/api src/processes src/projections src/consumers src/graph
    src/imports
    src/use-cases src/identity src/identity/oidc src/identity/keys src/domain src/store src/db
    src/limits src/ops src/config package.json node: pg uuid zod`,
  'src/server': `src/compose src/config src/tracing src/consumers src/hosting src/api src/identity
    src/identity/oidc src/identity/development src/identity/keys src/processes src/store src/db
    src/demo src/domain src/limits src/ops src/operator src/outbound package.json node:
    close-with-grace fastify pino`,
  'src/main': 'src/server node:',
};

const layerOf = (path: string): string =>
  Object.keys(layers)
    .filter((layer) => path.startsWith(`${layer}/`) || path === `${layer}.ts`)
    .toSorted((a, b) => b.length - a.length)[0] ?? path;

const words = (list: string) => list.split(/\s+/).filter(Boolean);

const mayImport = (layer: string, to: string): boolean =>
  to.startsWith('src/')
    ? layerOf(to) === layer || words(layers[layer] ?? '').includes(layerOf(to))
    : words(layers[layer] ?? '').some((name) =>
        /[:/]$/.test(name) ? to.startsWith(name) : to === name,
      );

describe('the layers', () => {
  it.each(Object.keys(layers))('%s imports only what its layer allows', (layer) => {
    const strays = sources
      .filter((path) => layerOf(path) === layer)
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => !mayImport(layer, to));
    expect(strays).toEqual([]);
  });

  it('hold every file', () =>
    expect(sources.filter((path) => !(layerOf(path) in layers))).toEqual([]));

  it('point inwards', () => {
    const order = Object.keys(layers);
    const outward = order.flatMap((layer, at) =>
      words(layers[layer]!).filter((to) => to.startsWith('src/') && order.indexOf(to) >= at),
    );
    expect(outward).toEqual([]);
  });

  it('have no circle of files, of types either', () => {
    expect(circlesIn(new Map(sources.map((path) => [path, importsOf(path)])))).toEqual([]);
  });

  /** Folder → the one file of it that others import. */
  const doors = { 'src/projections/tickets/query/': 'queries.ts' };

  it.each(Object.entries(doors))('show of %s only %s', (folder, door) => {
    const strays = sources
      .filter((path) => !path.startsWith(folder))
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => to.startsWith(folder) && to !== folder + door);
    expect(strays).toEqual([]);
  });

  it('are closed to the clients: those speak HTTP, or hand a command on to the server', () => {
    const strays = filesOf('packages/*/src/**/*.{ts,tsx}')
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => to.startsWith('src/'));
    expect(strays).toEqual([]);
  });
});

describe('time and chance', () => {
  const impure = new RegExp(
    [
      /\bDate\.now|\bDate\(\s*\)|\bperformance\.|\.toLocale/,
      /\bMath\.random|\brandomUUID|\bcrypto\b/,
      /\bprocess\.|\bglobalThis\b|\bconsole\.|\bfetch\(/,
      /\bset(Timeout|Interval|Immediate)\b|\basync\b|\bawait\b/,
    ]
      .map(({ source }) => source)
      .join('|'),
  );

  it('have no way into the domain, and neither have the environment and waiting', () => {
    const found = sources
      .filter((path) => path.startsWith('src/domain/'))
      .flatMap((path) => linesWhere(code(text(path)), path, (line) => impure.test(line)));
    expect(found).toEqual([]);
  });

  /**
   * Where real time is meant: an issuer's tokens have its times, a server starts in its own, and
   * ids are in the order in which they were made.
   */
  const realTime = /^src\/(ops\/(clock|time-ordered-id)\.ts$|identity\/|db\/embedded)/;

  it('come from the one clock, except where real time is meant', () => {
    const found = sources
      .filter((path) => !realTime.test(path))
      .flatMap((path) =>
        linesWhere(code(text(path)), path, (line) => /\bDate\.now\b|\bDate\(\s*\)/.test(line)),
      );
    expect(found).toEqual([]);
  });

  /** Whether a heartbeat is old is judged by the clock that wrote it. design.md decision 18. */
  const databaseTime = /^src\/(store\/|consumers\/(lease|release)-rows\.ts$)/;

  it('are not asked of the database outside the store and the leases', () => {
    const called = /(?<![\w.])(now|(clock|statement|transaction)_timestamp)\(\)/i;
    const named = /\b(current|local)_?(timestamp|time|date)\b|[\s(]'(now|today)'/i;
    const databaseClock = new RegExp(`${called.source}|${named.source}`, 'i');
    const found = sources
      .filter((path) => !databaseTime.test(path))
      .flatMap((path) =>
        strings(text(path))
          .filter((literal) => databaseClock.test(literal))
          .map((it) => [path, it]),
      );
    expect(found).toEqual([]);
  });
});

it('asks a log for its capabilities, and nothing which backend it is', () => {
  const found = sources.flatMap((path) =>
    linesWhere(code(text(path)), path, (line) => /\bbackend\b\s*[!=]==/.test(line)),
  );
  expect(found).toEqual([]);
});

describe('a module', () => {
  const unchanging = /^(Map|Set|RegExp|TextEncoder|TextDecoder|Date|URL|Intl\.\w+)$/;

  /** Statements begin at the margin, because the formatter puts them there. */
  const declared = (source: string) =>
    [...source.matchAll(/^(export )?const (\w+)(: ?[^=\n]+)? =\s*(new ([\w.]+)|[[{])?/gm)].map(
      ([, exported, name, type, , made]) => ({ exported, name: name!, type, made }),
    );

  const methods = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill';
  const assigned = String.raw`(=(?![=>])|[-+*]=|\+\+|--|\?\?=|\|\|=)`;
  const changes = (name: string) =>
    new RegExp(
      String.raw`(?<![\w.])${name}(\.(${methods})\(|(\.\w+|\[[^\]]*\]) ?${assigned})|` +
        String.raw`\bdelete ${name}\b`,
    );

  it('keeps no variable', () => {
    const found = sources.flatMap((path) =>
      linesWhere(code(text(path)), path, (line) => /^(export )?(let|var)\b/.test(line)),
    );
    expect(found).toEqual([]);
  });

  it('makes no pool, registry or emitter: what has a life of its own is handed in', () => {
    const found = sources.flatMap((path) =>
      declared(code(text(path)))
        .filter(({ made }) => made !== undefined && !unchanging.test(made))
        .map(({ name }) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('changes no collection that it keeps, and shows others only what cannot be changed', () => {
    const found = sources.flatMap((path) => {
      const source = code(text(path));
      return declared(source)
        .filter(
          ({ exported, name, type, made }) =>
            changes(name).test(source) ||
            (exported && /^(Map|Set)$/.test(made ?? '') && !type?.includes('Readonly')),
        )
        .map(({ name }) => `${path}: ${name}`);
    });
    expect(found).toEqual([]);
  });
});

describe('every file', () => {
  it('leaves no unfinished thought', () => {
    const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/;
    const found = written
      .filter((path) => path !== 'test/tidy.spec.ts')
      .flatMap((path) => linesWhere(text(path), path, (line) => unfinished.test(line)));
    expect(found).toEqual([]);
  });

  it('stays within 100 columns', () => {
    const found = written.flatMap((path) =>
      linesWhere(text(path), path, (line) => line.length > 100),
    );
    expect(found).toEqual([]);
  });

  it('keeps the type checker switched on', () => {
    const found = written.flatMap((path) => {
      const lines = text(path).split('\n');
      const bare = code(text(path)).replaceAll(/'[^'\n]*'/g, "''");
      return [
        ...linesWhere(text(path), path, (line) =>
          /@ts-(ignore|nocheck)|\bas unknown as\b/.test(line),
        ),
        ...linesWhere(bare, path, (line) => /(:|<|\bas|,|\|) ?any\b(?!\s*[(:])/.test(line)).filter(
          (where) => {
            const before = lines[Number(where.split(':')[1]) - 2] ?? '';
            return !/oxlint-disable-next-line typescript\/no-explicit-any -- \w/.test(before);
          },
        ),
      ];
    });
    expect(found).toEqual([]);
  });
});

describe('a test', () => {
  it('waits for what happens: time alone passes in one place, with a reason', () => {
    const timed = /\bsetTimeout\b|(?<!pg_)\bsleep\(/;
    const found = filesOf('test/**/*.ts')
      .filter((path) => path !== 'test/support/until.ts' && path !== 'test/tidy.spec.ts')
      .flatMap((path) => linesWhere(code(text(path)), path, (line) => timed.test(line)));
    expect(found).toEqual([]);
  });
});

describe('a number of the interface', () => {
  const units = `MS S MINUTES HOURS DAYS MONTHS BYTES CHARACTERS DIGITS EVENTS ROWS PAGE TOTAL
    ATTEMPTS CONNECTIONS SQM DEPTH LEVEL PERCENT AT_ONCE`;
  const unit = new RegExp(`(^|_)(${words(units).join('|')})(_|$)`);

  /** Those that the house knows, and those that a capability alone does. */
  const files = filesOf('src/limits.ts', 'src/domain/*/limits.ts');

  it.each(files)('carries its unit in its name, or a line that says what it counts: %s', (path) => {
    const lines = text(path).split('\n');
    const bare = lines.flatMap((line, at) => {
      const name = /^export const (\w+) =/.exec(line)?.[1];
      const explained = /\*\/$|^\/\//.test(lines[at - 1] ?? '');
      return name && !unit.test(name) && !explained ? [name] : [];
    });
    expect(bare).toEqual([]);
  });
});
