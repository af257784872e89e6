/**
 * The documentation matches the code. Pages of docs/reference/ that say so are generated here:
 * `npm test -- test/docs.spec.ts -u` writes them, and an outdated page fails.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { problems } from '../src/api/http/problems.ts';
import { variables } from '../src/config/variables.ts';
import { permissions } from '../src/identity/permissions.ts';
import { permissionTable, roles, type Role } from '../src/identity/permissions.ts';
import { isBefore } from '../src/engine/postgres/release-history.ts';
import { firstToGoBackTo, presentContents, releaseFiles } from './support/release-file.ts';
import { releasedMetrics } from './support/released-metrics.ts';
import { filesOf, text } from './support/sources.ts';
import manifest from '../package.json' with { type: 'json' };

const commitId = expect.stringMatching(/^[0-9a-f]{40}$/);

const isThere = (path: string) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));

const page = (name: string) => `../docs/reference/${name}.md`;

it('describes this release in a file of its own', async () => {
  const earlier = releaseFiles().filter((one) => isBefore(one.version, manifest.version));
  const contents = presentContents();
  const backTo = firstToGoBackTo(manifest.version, contents, earlier);
  const printed = { version: manifest.version, backTo, ...contents };
  await expect(`${JSON.stringify(printed, null, 2)}\n`).toMatchFileSnapshot(
    `../releases/${manifest.version}.json`,
  );
});

it('names the commit of every earlier release, and one version in all packages', () => {
  const earlier = releaseFiles().filter(({ version }) => version !== manifest.version);
  for (const { version, commit } of earlier) expect([version, commit]).toEqual([version, commitId]);
  const versions = filesOf('package.json', 'packages/*/package.json').map(
    (path) => (JSON.parse(text(path)) as { readonly version: string }).version,
  );
  expect(new Set(versions)).toEqual(new Set([manifest.version]));
  expect(text('CHANGELOG.md')).toContain(`\n## ${manifest.version}\n`);
});

it('documents every problem, in the order of precedence', async () => {
  const sections = Object.entries(problems).map(
    ([code, { status, title, about }]) => `## ${code}\n\n${status} · ${title}.\n\n${about}\n`,
  );
  const printed = `# Problems

Printed from \`src/api/http/problems.ts\`. Every refusal is an \`application/problem+json\`
(RFC 9457); \`code\` is stable, \`detail\` is for people. Of two that apply the first here is
answered. 503 and \`RATE_LIMITED\` carry \`Retry-After\`.

${sections.join('\n')}`;
  await expect(printed).toMatchFileSnapshot(page('problems'));
});

it('documents the roles of every permission', async () => {
  const marks = (holders: readonly Role[]) =>
    roles.map((role) => (holders.includes(role) ? 'x' : ' ')).join(' | ');
  const rows = permissions.map(
    (permission) => `| \`${permission}\` | ${marks(permissionTable[permission])} |`,
  );
  const printed = `# Permissions

Printed from \`src/identity/permissions.ts\`. A permission comes from a role of the access
token (\`realm_access.roles\`); other roles of the issuer give nothing, and neither does a
claim named \`permissions\`.

| permission | ${roles.join(' | ')} |
|---|${roles.map(() => '---|').join('')}
${rows.join('\n')}

A caller with only \`operator\` needs no organisation; any other caller belongs to
exactly one.
`;
  await expect(printed).toMatchFileSnapshot(page('permissions'));
});

it('documents every environment variable', async () => {
  const rows = Object.entries(variables).map(
    ([name, { shown, about }]) => `| \`${name}\` | ${shown} | ${about} |`,
  );
  const printed = `# Environment

Printed from \`src/config/variables.ts\`. An invalid value or an unknown \`ATRIUM_*\` name stops
the start with one line. \`ATRIUM_URL\`, \`ATRIUM_TOKEN\`, \`ATRIUM_PROFILE\`,
\`ATRIUM_SANDBOX_URL\` and \`ATRIUM_TEST_SEED\` are the command-line client's and the SDK's. An
empty value is the default.

| variable | default | what |
|---|---|---|
${rows.join('\n')}

\`OTEL_*\`: [tracing](../operating/tracing.md).

In production (\`ATRIUM_ENV=production\`, or \`NODE_ENV=production\` without it),
\`ATRIUM_SECRETS_KEY\` and \`https\` addresses in \`OIDC_ISSUER\` and \`PUBLIC_URL\` are required.
\`openssl rand -base64 32\` draws a key. The first seals, all open:
[rotation](../operating/personal-data.md#replacing-the-secrets-key). Refused are a key of one
repeated byte, and in production \`TRUSTED_PROXIES\` that cover every address, and
\`CORS_ORIGINS=*\`.
`;
  await expect(printed).toMatchFileSnapshot(page('environment'));
});

it('documents every metric', async () => {
  const shown = await releasedMetrics({ process: false });
  const rows = [...shown.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name, help, type]) => `| \`${name}\` | ${type} | ${help} |`,
  );
  const printed = `# Metrics

Printed from the code; \`/metrics\` also has prom-client's \`process_*\` and \`nodejs_*\`. In
production it is served on \`METRICS_PORT\` only. Alerts: [runbook](../operating/runbook.md).

| metric | type | what |
|---|---|---|
${rows.toSorted().join('\n')}

No label has an id, a URL or an address; \`route\` is a template.
`;
  await expect(printed).toMatchFileSnapshot(page('metrics'));
});

it('prints the alerts as the Prometheus operator reads them', async () => {
  const spec = parse(text('ops/prometheus/alerts.yml')) as unknown;
  const labels = { 'app.kubernetes.io/name': 'atrium' };
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'atrium', labels },
    spec,
  };
  const about = '# Printed from ops/prometheus/alerts.yml by test/docs.spec.ts: change that one.\n';
  await expect(
    `${about}${stringify(rule, { lineWidth: 0, singleQuote: true })}`,
  ).toMatchFileSnapshot('../ops/kubernetes/components/monitoring/prometheus-rule.yaml');
});

describe('the documentation', () => {
  const pages = filesOf('*.md', 'docs/**/*.md', 'test/**/*.md');

  it('names the two commands, and the check runs the second word for word', () => {
    const readme = text('README.md');
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
    expect(text('.ci/run')).toContain("'npm ci && npm test'");
  });

  it('links only to existing targets', () => {
    const dead = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, to]) => to!.replace(/#.*$/, ''))
        .filter((to) => to !== '' && !/^[a-z]+:/.test(to))
        .filter((to) => !isThere(join(dirname(page), to)))
        .map((to) => `${page}: ${to}`),
    );
    expect(dead).toEqual([]);
  });

  it('names only files of the repository that exist', () => {
    // One describes the past, one describes files that its reader creates.
    const others = ['CHANGELOG.md', 'docs/add-a-capability.md'];
    const missing = pages
      .filter((page) => !others.includes(page))
      .flatMap((page) =>
        [...text(page).matchAll(/`((?:src|test|bench|ops|packages)\/[\w/.-]+)`/g)]
          .filter(([, path]) => !isThere(path!))
          .map(([, path]) => `${page}: ${path}`),
      );
    expect(missing).toEqual([]);
  });

  it('installs the packages of this repository from a file, because npm has none of them', () => {
    const own = filesOf('packages/*/package.json').map(
      (path) => (JSON.parse(text(path)) as { readonly name: string }).name,
    );
    const installed = [...pages, ...filesOf('packages/*/*.md')].flatMap((page) =>
      [...text(page).matchAll(/npm (?:install|i|add|exec) ([^`\n]+)/g)].flatMap(([, words]) =>
        words!
          .split(' ')
          .filter((word) => own.includes(word.replace(/(?<=.)@.*$/, '')))
          .map((word) => `${page}: ${word}`),
      ),
    );
    expect(installed).toEqual([]);
  });

  it('holds both sides of no merge', () => {
    const marked = pages.filter((path) => /^(<{7}|>{7}) /m.test(text(path)));
    expect(marked).toEqual([]);
  });

  it('gives each decision a number of its own, a title and the same three parts', () => {
    const records = filesOf('docs/decisions/*.md').filter((page) => !page.endsWith('README.md'));
    const numbers = records.map((page) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(page)?.[1]));
    // Each once; there may be gaps, because several are written at the same time.
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    const parts = ['Context', 'Decision', 'Consequences'];
    const odd = records.filter(
      (page) =>
        [...text(page).matchAll(/^## (.+)$/gm)].map(([, part]) => part).join() !== parts.join(),
    );
    expect(odd).toEqual([]);
  });
});

describe('what is installed', () => {
  interface Manifest {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const manifests = filesOf('package.json', 'packages/*/package.json');
  const asked = manifests.flatMap((path) => {
    const manifest = JSON.parse(text(path)) as Manifest;
    return Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
  });
  const documented = () =>
    [...text('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (.+) \| (\S+) \| (.+) \|$/gm)].map(
      ([, name, , licence]) => ({ name: name!, licence: licence! }),
    );

  it('is one exact version each', () =>
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([]));

  it('has a line in docs/dependencies.md, and no line there is about anything else', () => {
    const names = [...new Set(asked.map(([name]) => name))].sort();
    expect(
      documented()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
  });

  it('has the licence that docs/dependencies.md says', () => {
    const wrong = documented().flatMap(({ name, licence }) => {
      const manifest = `node_modules/${name}/package.json`;
      // A package for another platform is not there to be asked.
      if (!isThere(manifest)) return [];
      const actual = (JSON.parse(text(manifest)) as { license: string }).license;
      return actual === licence ? [] : [`${name}: ${actual}`];
    });
    expect(wrong).toEqual([]);
  });

  it('is locked without a registry and without a path of one machine', () => {
    const lock = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { resolved?: string }>;
    };
    const found = Object.entries(lock.packages).filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('packages/'),
    );
    expect(found).toEqual([]);
    expect(Object.keys(lock.packages).filter((path) => /^(\/|\.\.|[A-Za-z]:)/.test(path))).toEqual(
      [],
    );
  });
});
