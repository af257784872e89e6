/**
 * Rules for the source code. The first table is the architecture diagram; a convention that is not
 * checked here is not enforced.
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
 * above it. `node:` is any part of Node. A folder that is missing here fails the tests.
 */
const layers: Readonly<Record<string, string>> = {
  'src/limits': '',
  'src/engine': `node: @eventstore/db-client @eventstore/db-client/generated/ @opentelemetry/ kysely
    kysely/migration pg pg-copy-streams pino pino-pretty prom-client uuid zod`,
  'src/domain': 'src/engine src/limits zod',
  'src/migrations': 'src/engine kysely',
  'src/files/place': '',
  'src/files': `src/engine src/files/place src/limits node: aws4fetch file-type pg sharp
    undici`,
  'src/outbound': 'src/engine src/limits node: undici',
  'src/identity': 'src/engine src/domain src/limits node:',
  'src/identity/oidc': 'src/engine src/identity src/domain src/limits node: jose pino zod',
  'src/identity/sessions': `src/engine src/identity src/identity/oidc src/domain src/limits node:
    jose openid-client pg pino`,
  'src/identity/development': `src/engine src/identity src/domain src/limits node: fastify jose
    oidc-provider pino uuid zod`,
  'src/config': `src/engine src/domain src/files/place src/limits src/identity/oidc
    src/identity/development node:`,
  'src/identity/keys': 'src/engine src/identity src/domain src/limits node: prom-client uuid',
  'src/building': `src/engine src/domain src/limits node: clipper2-ts d3-hierarchy kysely pg
    pg-copy-streams polylabel uuid web-ifc`,
  'src/use-cases': `src/engine src/domain src/building src/files src/identity/keys src/limits node:
    uuid`,
  'src/bus/bus': 'src/engine src/domain',
  'src/bus/publish-effect': 'src/engine src/domain',
  'src/projections': 'src/engine src/domain src/use-cases src/limits node: pg',
  'src/processes': `src/engine src/domain src/use-cases src/building src/files src/bus/bus
    src/bus/publish-effect src/outbound src/projections src/limits node: pg prom-client uuid`,
  'src/bus': 'src/engine src/domain src/bus/bus src/limits node: @nats-io/ pg prom-client uuid zod',
  'src/api': `src/engine src/domain src/use-cases src/building src/files src/bus src/bus/bus
    src/projections src/processes src/outbound src/identity src/identity/keys
    src/identity/sessions src/config src/limits package.json node: fastify @fastify/
    fastify-type-provider-zod @scalar/ kysely pg prom-client socket.io uuid ws zod`,
  'src/api/mcp': `src/engine src/api src/limits packages/cli/src/mcp/ packages/sdk/src/ package.json
    node: @modelcontextprotocol/ fastify fastify-type-provider-zod zod`,
  'src/composition': `src/engine src/domain src/building src/files src/bus src/bus/bus
    src/projections src/processes src/outbound src/identity src/identity/keys
    src/identity/sessions src/use-cases src/api src/limits fastify node:`,
  'src/capabilities': `src/engine src/domain src/use-cases src/building src/files src/bus
    src/bus/bus src/projections src/processes src/outbound src/identity src/identity/keys
    src/identity/sessions src/api src/api/mcp src/composition src/limits fastify`,
  'src/demo': 'src/engine src/domain src/building src/use-cases uuid',
  'src/compose': `src/engine src/files src/composition src/capabilities src/bus src/processes
    src/projections src/api src/identity src/identity/keys src/outbound src/config src/limits
    node: fastify`,
  'src/hosting': `src/engine src/files src/migrations src/composition src/compose src/api
    src/processes src/projections src/building src/use-cases src/outbound src/identity
    src/identity/keys src/identity/sessions src/domain src/limits node: pg uuid`,
  'src/operator': `src/engine src/files src/files/place src/migrations src/compose src/bus src/api
    src/processes src/projections src/building src/use-cases src/hosting src/identity
    src/identity/oidc src/identity/keys src/identity/sessions src/domain src/config src/limits
    package.json node: age-encryption pg pg-copy-streams prom-client uuid zod`,
  'src/server': `src/engine src/files src/compose src/composition src/config src/hosting src/api
    src/identity src/identity/oidc src/identity/sessions src/identity/development
    src/identity/keys src/demo src/domain src/limits src/operator src/outbound src/processes
    package.json node: fastify pino`,
  'src/start': `src/engine src/server src/config src/operator src/limits package.json
    close-with-grace node:`,
  'src/main': 'src/start node:',
};

/** What the domain may use of the engine: deciders, events, codecs, terms, and dates. */
const domainVocabulary = new Set([
  'src/engine/aggregates/decider.ts',
  'src/engine/log/event-fields.ts',
  'src/engine/json-object.ts',
  'src/engine/storable.ts',
  'src/engine/log/codec.ts',
  'src/engine/log/personal-data.ts',
  'src/engine/personal/sealed-types.ts',
  'src/engine/retention/terms.ts',
  'src/engine/time/calendar.ts',
  'src/engine/time/time-zone.ts',
  'src/engine/limits.ts',
]);

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
  it.each(Object.keys(layers))('%s imports only from permitted layers', (layer) => {
    const strays = sources
      .filter((path) => layerOf(path) === layer)
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => !mayImport(layer, to));
    expect(strays).toEqual([]);
  });

  it('leave the engine alone: it imports nothing from outside of it', () => {
    const strays = sources
      .filter((path) => path.startsWith('src/engine/'))
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => to.startsWith('src/') && !to.startsWith('src/engine/'));
    expect(strays).toEqual([]);
  });

  it('name in the engine nothing of the application, in identifiers and strings', () => {
    const named = /ticket|sandbox|webhook|keyring|key_?use|api_?key|work_?order|service_?desk/i;
    const found = sources
      .filter((path) => path.startsWith('src/engine/'))
      .flatMap((path) => linesWhere(code(text(path)), path, (line) => named.test(line)));
    expect(found).toEqual([]);
  });

  it('hold every file', () =>
    expect(sources.filter((path) => !(layerOf(path) in layers))).toEqual([]));

  it('take of the engine into the domain only its vocabulary', () => {
    const strays = sources
      .filter((path) => path.startsWith('src/domain/'))
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => to.startsWith('src/engine/') && !domainVocabulary.has(to));
    expect(strays).toEqual([]);
  });

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

  it('have no circle of folders in the engine', () => {
    const isOfEngine = (path: string) => path.startsWith('src/engine/');
    const folderOf = (path: string) => path.split('/').slice(0, 3).join('/');
    const folders = Map.groupBy(sources.filter(isOfEngine), folderOf);
    const importsOfFolder = ([folder, paths]: readonly [string, readonly string[]]) => {
      const others = paths
        .flatMap((path) => importsOf(path))
        .filter(isOfEngine)
        .map(folderOf);
      return [folder, others.filter((other) => other !== folder)] as const;
    };
    expect(circlesIn(new Map([...folders].map(importsOfFolder)))).toEqual([]);
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

describe('the tools of agents', () => {
  it('are a client of the API: the SDK, schemas and the protocol are all that they know', () => {
    const own = /^packages\/(cli\/src\/mcp|sdk\/src)\/|^@modelcontextprotocol\/|^zod$/;
    const strays = filesOf('packages/cli/src/mcp/*.ts')
      .flatMap((path) => importsOf(path).map((to) => ({ path, to })))
      .filter(({ to }) => !own.test(to));
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
      .filter((path) => path.startsWith('src/domain/') || domainVocabulary.has(path))
      .flatMap((path) => linesWhere(code(text(path)), path, (line) => impure.test(line)));
    expect(found).toEqual([]);
  });

  /**
   * Where real time is meant: an issuer's tokens have its times, a server starts in its own, and
   * ids are in the order in which they were made.
   */
  const realTime =
    /^src\/(engine\/time\/(clock|time-ordered-id)\.ts$|identity\/|engine\/postgres\/embedded)/;

  it('come from the one clock, except where real time is meant', () => {
    const found = sources
      .filter((path) => !realTime.test(path))
      .flatMap((path) =>
        linesWhere(code(text(path)), path, (line) => /\bDate\.now\b|\bDate\(\s*\)/.test(line)),
      );
    expect(found).toEqual([]);
  });

  /** Whether a heartbeat is old is judged by the clock that wrote it. design.md decision 18. */
  const databaseTime = /^src\/engine\/(log\/|consumers\/(lease|release)-rows\.ts$)/;

  it('are not asked of the database outside the log and the leases', () => {
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

it('normalises text in linear time: in one place, which bounds the marks of a letter', () => {
  const found = sources
    .filter((path) => path !== 'src/domain/normalised.ts')
    .flatMap((path) => linesWhere(code(text(path)), path, (line) => /\.normalize\(/.test(line)));
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

  it('of tests is run: a project of vitest.config.ts names its folder', () => {
    const named = new Set(
      [...text('vitest.config.ts').matchAll(/test\/\{?([\w,-]+)\}?\//g)].flatMap(([, folders]) =>
        folders!.split(','),
      ),
    );
    const folders = new Set(filesOf('test/*/**/*.spec.ts').map((path) => path.split('/')[1]!));
    expect([...folders].filter((folder) => !named.has(folder))).toEqual([]);
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
    // The second holds timers of a page, and waits for none.
    const others = [
      'test/support/until.ts',
      'test/support/browser/undo-time.ts',
      'test/tidy.spec.ts',
    ];
    const found = filesOf('test/**/*.ts')
      .filter((path) => !others.includes(path))
      .flatMap((path) => linesWhere(code(text(path)), path, (line) => timed.test(line)));
    expect(found).toEqual([]);
  });
});

describe('a number of the interface', () => {
  const units = `MS S MINUTES HOURS DAYS MONTHS BYTES CHARACTERS DIGITS EVENTS ROWS PAGE TOTAL
    ATTEMPTS CONNECTIONS SQM DEPTH LEVEL PERCENT AT_ONCE`;
  const unit = new RegExp(`(^|_)(${words(units).join('|')})(_|$)`);

  /** What several capabilities share, and what one component owns. */
  const files = filesOf('src/limits.ts', 'src/*/**/limits.ts');

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
