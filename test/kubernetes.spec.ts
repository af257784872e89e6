/** ops/kubernetes: the manifests fit the cluster's schemas and Atrium's configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configOf } from '../src/config/config.ts';
import { variables } from '../src/config/variables.ts';
import { SHUTDOWN_DELAY_DEFAULT_S, STOP_GRACE_MS } from '../src/limits.ts';
import { imageEnvironment } from './support/image.ts';
import { manifestsOf, ofKind, overlays, podsOf, selects } from './support/kubernetes/manifests.ts';
import { filesOf, text } from './support/sources.ts';

const servers = manifestsOf(overlays.example);
const prepare = manifestsOf(overlays.prepare);
const deployments = ofKind(servers, 'Deployment');
const pods = [...podsOf(servers), ...podsOf(prepare)];
const serverPods = podsOf(servers);
const image = imageEnvironment();

const bytes = (quantity: string) => {
  const [, number, unit = ''] = /^(\d+)([KMG]i)?$/.exec(quantity) ?? [];
  return Number(number) * 1024 ** ['', 'Ki', 'Mi', 'Gi'].indexOf(unit);
};

/** A secret as an operator makes it. */
const secret: Readonly<Record<string, string>> = {
  ATRIUM_SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64'),
  DATABASE_URL: 'postgres://atrium:secret@db.databases/atrium',
  EVENTSTORE_URL: 'esdb://atrium:secret@log.databases:2113',
  NATS_URL: 'nats://atrium:secret@nats.databases:4222',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

/** As the process in the pod sees it. */
const environmentOf = (pod: (typeof pods)[number]): Record<string, string> => {
  const { env, envFrom } = pod.spec.containers[0]!;
  const config = ofKind(servers, 'ConfigMap').filter(({ metadata }) =>
    envFrom.some(({ configMapRef }) => configMapRef.name === metadata.name),
  );
  const known: Record<string, string> = Object.assign({}, image, ...config.map((it) => it.data));
  for (const variable of env) {
    if ('value' in variable)
      known[variable.name] = variable.value.replaceAll(/\$\((\w+)\)/g, (_, name: string) => {
        // Kubernetes expands only variables defined earlier in the list.
        expect(known).toHaveProperty(name);
        return known[name]!;
      });
    else if ('fieldRef' in variable.valueFrom) known[variable.name] = '10.244.1.7';
    else known[variable.name] = secret[variable.valueFrom.secretKeyRef.key] ?? '';
  }
  return known;
};

describe('ops/kubernetes', () => {
  it('has a base that fits without an overlay', () =>
    expect(manifestsOf('ops/kubernetes/base').map(({ kind }) => kind)).toContain('Deployment'));

  it('uses every file that it has', () => {
    const files = filesOf('ops/kubernetes/**/*.yaml').filter(
      (file) => !/(kustomization|prometheus-adapter)\.yaml$/.test(file),
    );
    const kustomizations = filesOf('ops/kubernetes/**/kustomization.yaml').map((file) =>
      text(file),
    );
    const unused = files.filter((file) => {
      const named = file.slice(file.lastIndexOf('/') + 1);
      return !kustomizations.some((it) => it.includes(`- ${named}`) || it.includes(`: ${named}`));
    });
    expect(unused).toEqual([]);
  });

  it('runs each role in a deployment of its own', () => {
    const roles = serverPods.map((pod) => environmentOf(pod)['ATRIUM_ROLES']!);
    expect(roles.toSorted()).toEqual(['api', 'processes', 'projections', 'sandboxes']);
  });

  it('sets variables that Atrium knows, and starts in production with them', () => {
    for (const pod of pods) {
      const environment = environmentOf(pod);
      const words = JSON.stringify(pod.spec.containers);
      const foreign = Object.keys(environment).filter(
        (name) => !(name in variables) && !(name in image) && !words.includes(`$(${name})`),
      );
      expect(foreign).toEqual([]);
      expect(configOf(environment)).toMatchObject({
        environment: 'production',
        publicUrl: 'https://atrium.example.com',
        processUrl: 'http://10.244.1.7:4000',
        metricsPort: 9464,
        files: { kind: 's3' },
        eventstoreUrl: secret['EVENTSTORE_URL'],
        nats: { servers: ['nats://atrium:secret@nats.databases:4222'] },
      });
    }
  });

  it('keeps variables of Services from pods, because unknown ATRIUM_* ones stop the start', () => {
    const [pod] = serverPods;
    const injected = { ...environmentOf(pod!), ATRIUM_API_SERVICE_HOST: '10.96.0.1' };
    expect(() => configOf(injected)).toThrow('ATRIUM_API_SERVICE_HOST: no such variable');
    expect(pods.map(({ spec }) => spec.enableServiceLinks)).toEqual(pods.map(() => false));
  });

  it('has no secret value, and refers to all that are one', () => {
    const secrets = Object.keys(secret);
    for (const { spec } of pods) {
      const { env } = spec.containers[0]!;
      const referred = env.filter((it) => 'valueFrom' in it && 'secretKeyRef' in it.valueFrom);
      expect(referred.map(({ name }) => name).toSorted()).toEqual(secrets.toSorted());
    }
    const settings = ofKind(servers, 'ConfigMap').flatMap(({ data }) => Object.entries(data));
    expect(settings.filter(([name]) => secrets.includes(name))).toEqual([]);
    expect(JSON.stringify([servers, prepare])).not.toMatch(/:\/\/[^/"]*@|"kind":"Secret"/);
  });

  it('lets no process do more than it needs', () => {
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(spec.containers[0]!.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    const [namespace] = ofKind(servers, 'Namespace');
    expect(namespace?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  it('gives the processes room to write where they write, and bounds it', () => {
    const [cache] = /\.\.\/node_modules\/\.cache/.exec(text('src/main.ts')) ?? [];
    const written = [image['ATRIUM_DATA']!, join('/atrium/src', cache!), '/tmp'];
    for (const { spec } of pods) {
      const { volumeMounts, resources } = spec.containers[0]!;
      expect(volumeMounts.map(({ mountPath }) => mountPath).toSorted()).toEqual(written.toSorted());
      const volumes = volumeMounts.map(({ name }) => spec.volumes.find((it) => it.name === name)!);
      const together = volumes.map(({ emptyDir }) => bytes(emptyDir.sizeLimit));
      const room = bytes(resources.limits['ephemeral-storage']);
      expect(together.reduce((sum, one) => sum + one)).toBeLessThan(room);
    }
  });

  it('asks whether a process lives and is ready where it answers', () => {
    const openapi = JSON.parse(text('openapi.json')) as { paths: object };
    for (const { spec } of serverPods) {
      const { ports, startupProbe, livenessProbe, readinessProbe } = spec.containers[0]!;
      expect(ports).toEqual([
        { name: 'http', containerPort: Number(image['PORT']) },
        { name: 'metrics', containerPort: 9464 },
      ]);
      const asked = [startupProbe, livenessProbe, readinessProbe].map((it) => it!.httpGet);
      expect(asked).toEqual([
        { path: '/health/live', port: 'http' },
        { path: '/health/live', port: 'http' },
        { path: '/health/ready', port: 'http' },
      ]);
      for (const { path } of asked) expect(openapi.paths).toHaveProperty([path]);
    }
  });

  it('waits longer for a stopping process than its own stop deadline', () => {
    const takes = SHUTDOWN_DELAY_DEFAULT_S + STOP_GRACE_MS / 1000;
    for (const { spec } of serverPods)
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(takes);
  });

  it('replaces pods one by one, and has a budget for each deployment', () => {
    const budgets = ofKind(servers, 'PodDisruptionBudget');
    expect(budgets).toHaveLength(deployments.length);
    for (const { metadata, spec } of deployments) {
      expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
      const pod = serverPods.find(({ name }) => name === metadata.name)!;
      expect(selects(spec.selector, pod)).toBe(true);
      const ofIt = budgets.filter((budget) => selects(budget.spec.selector, pod));
      expect(ofIt.map((budget) => budget.spec.maxUnavailable)).toEqual([1]);
      const others = serverPods.filter((other) => selects(spec.selector, other));
      expect(others).toHaveLength(1);
    }
  });

  it('prepares read models with the image and the configuration of the servers', () => {
    const [job] = podsOf(prepare);
    const { command, image: used, envFrom } = job!.spec.containers[0]!;
    const [node, program, ...words] = command!;
    expect([node, ...words]).toEqual(['node', 'projections', 'prepare']);
    expect(existsSync(program!)).toBe(true);
    for (const { spec } of serverPods) {
      expect(spec.containers[0]).toMatchObject({ image: used, envFrom });
      expect(used).toMatch(/@sha256:[0-9a-f]{64}$/);
    }
    expect(ofKind(prepare, 'ConfigMap')).toEqual(ofKind(servers, 'ConfigMap'));
  });
});
