/** ops/: the configuration of Prometheus and Grafana names existing metrics, files and pages. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LAG_MAX_S } from '../src/limits.ts';
import {
  CERTIFICATE_FAILURE_DAYS,
  CERTIFICATE_WARNING_DAYS,
  DATABASE_CONNECTIONS_FREE_MIN,
  DOCTOR_CLOCK_SKEW_MAX_MS,
  NATS_FULLNESS_WARNING,
  PROCESS_DATABASE_CONNECTIONS,
  SCAVENGE_AGE_MAX_DAYS,
} from '../src/operator/limits.ts';
import { releasedMetrics } from './support/released-metrics.ts';
import { programOnPath } from './support/programs.ts';
import { filesOf, text } from './support/sources.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}

interface Target {
  readonly expr: string;
}

const { groups } = parse(text('ops/prometheus/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const dashboards = filesOf('ops/grafana/dashboards/*.json').map((path) => ({
  path,
  panels: (
    JSON.parse(text(path)) as {
      readonly panels: readonly { readonly title: string; readonly targets?: readonly Target[] }[];
    }
  ).panels,
}));
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: title, expr })),
    ),
  ),
];

/** As GitHub makes them of headings. */
const anchorsIn = (page: string) =>
  [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const root = fileURLToPath(new URL('../', import.meta.url));
const hasPromtool = programOnPath(['promtool']) !== null;
const promtool = (...args: readonly string[]) =>
  execFileSync('promtool', args, { cwd: root, encoding: 'utf8' });

it('alerts and dashboards ask for metrics that /metrics shows, and for no other', async () => {
  const printed = await releasedMetrics({ process: true });
  const shown = new Set([...printed.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const isShown = (name: string) =>
    shown.has(name) || shown.has(name.replace(/_(bucket|count|sum)$/, ''));
  const unknown = expressions.flatMap(({ where, expr }) =>
    [...expr.matchAll(/\b(atrium|nodejs|process)_\w+/g)]
      .filter(([name]) => !isShown(name))
      .map(([name]) => `${where}: ${name}`),
  );
  expect(unknown).toEqual([]);
  // All other metrics are Prometheus's own.
  const others = expressions.filter(({ expr }) => !/\b(atrium|nodejs|process)_/.test(expr));
  expect(others.map(({ expr }) => expr)).toEqual(['up{job="atrium"} == 0']);
});

it('every metric of ours is on a dashboard', async () => {
  const printed = await releasedMetrics({ process: true });
  const asked = JSON.stringify(dashboards);
  const unseen = [...printed.matchAll(/^# TYPE (atrium_\w+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => !new RegExp(`\\b${name}(_bucket|_count|_sum)?\\b`).test(asked));
  expect(unseen).toEqual([]);
});

it.each([
  ['nats', 'AtriumNatsAway', 'atrium_degraded{part="nats"}'],
  ['files', 'AtriumFilesAway', 'atrium_degraded{part="files"}'],
  ['issuer', 'AtriumIssuerAway', 'atrium_degraded{part="issuer"}'],
  ['change-feed', 'AtriumChangeFeedBlocked', 'atrium_change_feed_blocked_tickets'],
  ['read-models', 'AtriumProjectionLag', `atrium_projection_lag_seconds) > ${LAG_MAX_S}`],
  ['processes', 'AtriumProcessLag', `atrium_process_lag_seconds) > ${LAG_MAX_S}`],
] satisfies [string, string, string][])(
  'the part %s has the alert %s for its outage',
  (_, name, asks) => expect(alerts.find(({ alert }) => alert === name)?.expr).toContain(asks),
);

it.each([
  ['AtriumCertificateExpiring', `time() < ${CERTIFICATE_WARNING_DAYS} * 86400`],
  ['AtriumCertificateLastDays', `time() < ${CERTIFICATE_FAILURE_DAYS} * 86400`],
  ['AtriumDatabaseConnectionsLow', `< ${PROCESS_DATABASE_CONNECTIONS}`],
  ['AtriumDatabaseConnectionsOut', `< ${DATABASE_CONNECTIONS_FREE_MIN}`],
  ['AtriumScavengeOverdue', `> ${SCAVENGE_AGE_MAX_DAYS} * 86400`],
  ['AtriumClockSkew', `> ${DOCTOR_CLOCK_SKEW_MAX_MS / 1_000}`],
  ['AtriumNatsStreamFilling', `> ${NATS_FULLNESS_WARNING}`],
] satisfies [string, string][])('%s has the bound of the doctor, %s', (name, bound) =>
  expect(alerts.find(({ alert }) => alert === name)?.expr).toContain(bound),
);

it('a process that is not ready has an alert', () =>
  expect(alerts.map(({ expr }) => expr)).toContain('atrium_ready == 0'));

describe('a page with a column of alerts', () => {
  const pages = filesOf('docs/operating/*.md').filter((path) =>
    /^\| measurement \|.*\| alert \|$/m.test(text(path)),
  );

  /** `> 300 for 5m`, of the part of the rule that asks for the metric. */
  const conditionOf = ({ expr, for: held }: Alert, metric: string): string => {
    const asks = expr.split(/\bor\b/).find((part) => part.includes(metric))!;
    const compared = /([<>]=?|==)\s*([\d.]+)\s*$/.exec(asks)!;
    return `\`${compared[1]} ${compared[2]}\`${held === undefined ? '' : ` for ${held}`}`;
  };
  const alertsOf = (metrics: readonly string[]): string =>
    metrics
      .flatMap((metric) =>
        alerts
          .filter(({ expr }) => new RegExp(`\\b${metric}\\b`).test(expr))
          .map((alert) => {
            const link = `runbook.md#${alert.alert.toLowerCase()}`;
            return `[${alert.alert}](${link}): ${conditionOf(alert, metric)}`;
          }),
      )
      .join('; ');
  const printed = (page: string): string =>
    page.replaceAll(/^(\| `atrium_.*) \|[^|\n]*\|$/gm, (_, row: string) => {
      const metrics = [...row.split(' | ')[0]!.matchAll(/atrium_\w+/g)].map(([name]) => name);
      const found = alertsOf(metrics);
      return `${row} |${found === '' ? '' : ` ${found}`} |`;
    });

  it('is known', () =>
    expect(pages).toEqual(['docs/operating/live-data.md', 'docs/operating/webhooks.md']));

  // `npm test -- test/monitoring.spec.ts -u` prints it anew.
  it.each(pages)('has those of the rules beside each metric: %s', async (path) => {
    await expect(printed(text(path))).toMatchFileSnapshot(`../${path}`);
  });

  it('is one of a documentation that names no alert that does not exist', () => {
    const names = new Set(alerts.map(({ alert }) => alert));
    const unknown = filesOf('docs/**/*.md').flatMap((path) =>
      [...text(path).matchAll(/\[(Atrium[A-Z]\w+)\]/g)]
        .filter(([, name]) => !names.has(name!))
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('an alert', () => {
  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    '%s says how urgent it is, and leads to its own page',
    (name, { labels, annotations }) => {
      expect(['page', 'ticket']).toContain(labels.severity);
      const [page, anchor] = annotations.runbook_url.split('#');
      expect(anchor).toBe(name.toLowerCase());
      expect(anchorsIn(page!)).toContain(anchor);
    },
  );

  it('has an entry in the runbook, which has no other', () => {
    const headings = [...text('docs/operating/runbook.md').matchAll(/^### (Atrium\w+)$/gm)];
    expect(headings.map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert));
  });
});

describe.skipIf(!hasPromtool)('promtool (Debian: prometheus)', () => {
  it('accepts the rules and the configuration', () => {
    expect(promtool('check', 'rules', 'ops/prometheus/alerts.yml')).toContain('SUCCESS');
    const checked = promtool('check', 'config', 'ops/prometheus/prometheus.yml');
    expect(checked).toContain('SUCCESS');
  });

  it('sees each alert fire when it should, and none when all is well', () =>
    expect(promtool('test', 'rules', 'ops/prometheus/alerts.test.yml')).toContain('SUCCESS'));
});
