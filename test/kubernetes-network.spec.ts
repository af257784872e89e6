/** ops/kubernetes: network policies, metrics and autoscaling. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { classOf } from '../src/outbound/addresses.ts';
import { manifestsOf, ofKind, overlays, podsOf, selects } from './support/kubernetes/manifests.ts';
import { releasedMetrics } from './support/released-metrics.ts';
import { text } from './support/sources.ts';

const manifests = manifestsOf(overlays.example);
const servers = podsOf(manifests);
const pods = [...servers, ...podsOf(manifestsOf(overlays.prepare))];
const policies = ofKind(manifests, 'NetworkPolicy');
const services = ofKind(manifests, 'Service');
const [settings] = ofKind(manifests, 'ConfigMap');
const named = (name: string) => services.find(({ metadata }) => metadata.name === name)!;

const selectedBy = (selector: Parameters<typeof selects>[0]) =>
  pods.filter((pod) => selects(selector, pod)).map(({ name }) => name);
const ofPolicy = (name: string) => policies.find(({ metadata }) => metadata.name === name)!.spec;
const everyPod = pods.map(({ name }) => name);

describe('network policies', () => {
  it('deny all other traffic of every pod', () => {
    const deny = ofPolicy('atrium-deny');
    expect(selectedBy(deny.podSelector)).toEqual(everyPod);
    expect(deny).toEqual({ podSelector: deny.podSelector, policyTypes: ['Ingress', 'Egress'] });
  });

  it('let every pod find names and reach its stores', () => {
    for (const name of ['atrium-dns', 'atrium-stores', 'atrium-https'])
      expect(selectedBy(ofPolicy(name).podSelector)).toEqual(everyPod);
    const ports = (name: string) => ofPolicy(name).egress!.flatMap(({ ports: all }) => all!);
    expect(ports('atrium-dns').map(({ port }) => port)).toEqual([53, 53]);
    // Postgres, EventStoreDB, NATS.
    expect(ports('atrium-stores').map(({ port }) => port)).toEqual([5432, 2113, 4222]);
    expect(ports('atrium-https')).toEqual([{ protocol: 'TCP', port: 443 }]);
  });

  it('let any port of other hosts be called only from where webhooks are sent', () => {
    const anyPort = policies.filter(({ spec }) => spec.egress?.some((it) => !it.ports));
    expect(anyPort.map(({ metadata }) => metadata.name)).toEqual(['atrium-webhooks']);
    expect(selectedBy(anyPort[0]!.spec.podSelector)).toEqual([
      'atrium-processes',
      'atrium-sandboxes',
    ]);
  });

  it('keep from Atrium the private addresses that it does not call itself', () => {
    for (const name of ['atrium-webhooks', 'atrium-https']) {
      const blocks = ofPolicy(name).egress!.flatMap(({ to = [] }) =>
        to.flatMap((peer) => ('ipBlock' in peer ? [peer.ipBlock] : [])),
      );
      expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3']);
      const except = blocks[0]!.except!;
      expect(except.map((range) => classOf(range.split('/')[0]!))).not.toContain('public');
      for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'])
        expect(except).toContain(range);
    }
  });

  it('let callers in from the ingress, Prometheus to the metrics, and no other traffic', () => {
    const admitted = policies.flatMap(({ spec }) =>
      (spec.ingress ?? []).flatMap(({ from, ports }) => ({
        to: selectedBy(spec.podSelector),
        from: from.map((peer) =>
          'namespaceSelector' in peer
            ? peer.namespaceSelector.matchLabels['kubernetes.io/metadata.name']
            : 'podSelector' in peer && selectedBy(peer.podSelector),
        ),
        ports: ports.map(({ port }) => port),
      })),
    );
    expect(admitted).toEqual([
      {
        to: ['atrium-api', 'atrium-sandboxes'],
        from: ['ingress-nginx'],
        ports: ['http'],
      },
      { to: everyPod, from: ['monitoring'], ports: ['metrics'] },
      { to: ['atrium-sandboxes'], from: [['atrium-sandboxes']], ports: ['http'] },
    ]);
  });
});

describe('services', () => {
  it('lead to ports that the pods have', () => {
    for (const { spec } of services) {
      const behind = servers.filter((pod) => selects({ matchLabels: spec.selector }, pod));
      expect(behind.length).toBeGreaterThan(0);
      for (const pod of behind) {
        const ports = pod.spec.containers[0]!.ports!.map(({ name }) => name);
        for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
      }
    }
  });

  it('are reachable from outside at the published addresses', () => {
    const { spec } = ofKind(manifests, 'Ingress')[0]!;
    const { PUBLIC_URL: url, SANDBOX_HOST: sandboxHost } = settings!.data;
    const hosts = [new URL(url!).host, `*.${sandboxHost}`];
    expect(spec.rules.map(({ host }) => host)).toEqual(hosts);
    expect(spec.tls.flatMap((it) => it.hosts)).toEqual(hosts);
    const paths = spec.rules.map(({ http }) =>
      http.paths.map(({ path, backend }) => [path, backend.service.name]),
    );
    expect(paths).toEqual([
      [
        // docs/decisions/0084: pages reach a sandbox through the main host.
        ['/session/sandboxes', 'atrium-sandboxes'],
        ['/', 'atrium-api'],
      ],
      [['/', 'atrium-sandboxes']],
    ]);
    for (const [, name] of paths.flat())
      expect(named(name!).spec.ports.map((port) => port.name)).toEqual(['http']);
  });
});

describe('monitoring', () => {
  it('scrapes every pod, also unready ones, under the job name used by alerts', () => {
    const { spec } = ofKind(manifests, 'ServiceMonitor')[0]!;
    const scraped = services.filter(({ metadata }) =>
      Object.entries(spec.selector.matchLabels).every(([k, v]) => metadata.labels?.[k] === v),
    );
    expect(scraped.map(({ metadata }) => metadata.name)).toEqual(['atrium-metrics']);
    const { metadata, spec: service } = scraped[0]!;
    expect(service).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(servers.filter((pod) => selects({ matchLabels: service.selector }, pod))).toHaveLength(
      servers.length,
    );
    expect(spec.endpoints.map(({ port, path }) => [port, path])).toEqual([['metrics', '/metrics']]);
    const jobs = [...text('ops/prometheus/alerts.yml').matchAll(/job="(\w+)"/g)];
    expect(new Set(jobs.map(([, job]) => job))).toEqual(new Set([metadata.labels![spec.jobLabel]]));
  });

  it('has the alerts of Prometheus itself', () => {
    const [rule] = ofKind(manifests, 'PrometheusRule');
    expect(rule!.spec).toEqual(parse(text('ops/prometheus/alerts.yml')));
  });
});

describe('autoscalers', () => {
  const scalers = ofKind(manifests, 'HorizontalPodAutoscaler');
  const asked = scalers.flatMap(({ spec }) =>
    spec.metrics.map((it) => ({ kind: 'custom', name: it.pods.metric.name })),
  );

  it('go by the delay of the event loop, which /metrics shows', async () => {
    expect(asked).toEqual([{ kind: 'custom', name: 'nodejs_eventloop_lag_p99_seconds' }]);
    const printed = await releasedMetrics({ process: true });
    for (const { name } of asked) expect(printed).toContain(`# TYPE ${name} gauge`);
  });

  it('are given them by the rules of the adapter', () => {
    const path = 'ops/kubernetes/components/autoscaling/prometheus-adapter.yaml';
    const { rules } = parse(text(path)) as {
      rules: Record<string, readonly { seriesQuery: string }[]>;
    };
    const given = Object.entries(rules).flatMap(([kind, all]) =>
      all.map(({ seriesQuery }) => ({ kind, name: seriesQuery.split('{')[0] })),
    );
    expect(given).toEqual(asked);
  });

  it('are for the role api alone: leases keep the work of the others where it is', () => {
    const scaled = scalers.map(({ spec }) => spec.scaleTargetRef.name);
    expect(scaled).toEqual(['atrium-api']);
    for (const { metadata, spec } of ofKind(manifests, 'Deployment'))
      expect(spec.replicas === undefined).toBe(scaled.includes(metadata.name));
    // A budget of one needs a second pod.
    for (const { spec } of scalers) expect(spec.minReplicas).toBeGreaterThan(1);
  });
});
