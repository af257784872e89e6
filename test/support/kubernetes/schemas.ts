/**
 * The kinds of Kubernetes and of the Prometheus operator that ops/kubernetes uses, with the members
 * that it uses: any other is refused, as a typing error would be ignored by a cluster. Names, types
 * and words are those of Kubernetes 1.30 and later.
 */
import { z } from 'zod';

const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
  .max(63);
const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({
  name,
  namespace: name.optional(),
  labels: labels.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const manifest = <V extends string, K extends string, S extends z.core.$ZodLooseShape>(
  apiVersion: V,
  kind: K,
  shape: S,
) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, ...shape });

const count = z.int().min(1);
const port = z.int().min(1).max(65_535);
const portName = z.string().regex(/^[a-z][a-z0-9-]{0,14}$/);
const quantity = z.string().regex(/^\d+(m|[KMGT]i)?$/);
const matchLabels = z.strictObject({ matchLabels: labels });
const selector = z.strictObject({
  matchLabels: labels,
  matchExpressions: z
    .array(
      z.strictObject({
        key: z.string(),
        operator: z.enum(['In', 'NotIn']),
        values: z.array(z.string()).min(1),
      }),
    )
    .optional(),
});

const environmentVariable = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.union([
      z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.literal('status.podIP') }) }),
      z.strictObject({
        secretKeyRef: z.strictObject({ name, key: z.string(), optional: z.boolean().optional() }),
      }),
    ]),
  }),
]);

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: portName }),
  periodSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
});

const amounts = z.strictObject({
  cpu: quantity.optional(),
  memory: quantity,
  'ephemeral-storage': quantity,
});

const container = z.strictObject({
  name,
  image: z.string(),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  command: z.array(z.string()).optional(),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    privileged: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name }) })),
  env: z.array(environmentVariable),
  ports: z.array(z.strictObject({ name: portName, containerPort: port })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string().startsWith('/') })),
});

const podTemplate = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    serviceAccountName: name,
    automountServiceAccountToken: z.boolean(),
    enableServiceLinks: z.boolean(),
    restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
    terminationGracePeriodSeconds: count.optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.boolean(),
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      fsGroupChangePolicy: z.enum(['Always', 'OnRootMismatch']),
      seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Unconfined']) }),
    }),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: count,
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
          labelSelector: matchLabels,
          matchLabelKeys: z.array(z.string()),
        }),
      )
      .optional(),
    containers: z.array(container).length(1),
    volumes: z.array(z.strictObject({ name, emptyDir: z.strictObject({ sizeLimit: quantity }) })),
  }),
});

const seconds = z.string().regex(/^\d+s$/);
const scaling = z.strictObject({
  stabilizationWindowSeconds: count.optional(),
  policies: z.array(
    z.strictObject({ type: z.enum(['Pods', 'Percent']), value: count, periodSeconds: count }),
  ),
});
const metric = z.strictObject({ name: z.string() });
const peer = z.union([
  z.strictObject({ namespaceSelector: matchLabels, podSelector: matchLabels.optional() }),
  z.strictObject({ podSelector: matchLabels }),
  z.strictObject({
    ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }),
  }),
]);
const policyPorts = z
  .array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([port, portName]) }))
  .min(1);
const path = z.strictObject({
  path: z.string().startsWith('/'),
  pathType: z.enum(['Prefix', 'Exact']),
  backend: z.strictObject({
    service: z.strictObject({ name, port: z.strictObject({ name: portName }) }),
  }),
});

const kinds = [
  manifest('v1', 'Namespace', {}),
  manifest('v1', 'ServiceAccount', { automountServiceAccountToken: z.boolean() }),
  manifest('v1', 'ConfigMap', { data: z.record(z.string(), z.string()) }),
  manifest('v1', 'Service', {
    spec: z.strictObject({
      type: z.enum(['ClusterIP']).optional(),
      clusterIP: z.literal('None').optional(),
      publishNotReadyAddresses: z.boolean().optional(),
      selector: labels,
      ports: z.array(z.strictObject({ name: portName, port, targetPort: portName })),
    }),
  }),
  manifest('apps/v1', 'Deployment', {
    spec: z.strictObject({
      replicas: count.optional(),
      revisionHistoryLimit: count,
      progressDeadlineSeconds: count,
      selector: matchLabels,
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxSurge: count, maxUnavailable: z.int().min(0) }),
      }),
      template: podTemplate,
    }),
  }),
  manifest('batch/v1', 'Job', {
    spec: z.strictObject({
      backoffLimit: count,
      ttlSecondsAfterFinished: count,
      template: podTemplate,
    }),
  }),
  manifest('policy/v1', 'PodDisruptionBudget', {
    spec: z.strictObject({
      maxUnavailable: count,
      unhealthyPodEvictionPolicy: z.enum(['AlwaysAllow', 'IfHealthyBudget']),
      selector: matchLabels,
    }),
  }),
  manifest('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])).min(1),
      ingress: z
        .array(z.strictObject({ from: z.array(peer).min(1), ports: policyPorts }))
        .optional(),
      egress: z
        .array(
          z.strictObject({ to: z.array(peer).min(1).optional(), ports: policyPorts.optional() }),
        )
        .optional(),
    }),
  }),
  manifest('networking.k8s.io/v1', 'Ingress', {
    spec: z.strictObject({
      ingressClassName: name,
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: name })),
      rules: z.array(
        z.strictObject({ host: z.string(), http: z.strictObject({ paths: z.array(path) }) }),
      ),
    }),
  }),
  manifest('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({
        apiVersion: z.literal('apps/v1'),
        kind: z.literal('Deployment'),
        name,
      }),
      minReplicas: count,
      maxReplicas: count,
      metrics: z.array(
        z.strictObject({
          type: z.literal('Pods'),
          pods: z.strictObject({
            metric,
            target: z.strictObject({ type: z.literal('AverageValue'), averageValue: quantity }),
          }),
        }),
      ),
      behavior: z.strictObject({ scaleUp: scaling, scaleDown: scaling }),
    }),
  }),
  manifest('monitoring.coreos.com/v1', 'ServiceMonitor', {
    spec: z.strictObject({
      jobLabel: z.string(),
      selector: matchLabels,
      endpoints: z.array(
        z.strictObject({
          port: portName,
          path: z.string(),
          interval: seconds,
          scrapeTimeout: seconds,
        }),
      ),
    }),
  }),
  manifest('monitoring.coreos.com/v1', 'PrometheusRule', {
    spec: z.strictObject({
      groups: z.array(
        z.strictObject({
          name: z.string(),
          rules: z.array(
            z.strictObject({
              alert: z.string(),
              expr: z.string(),
              for: z
                .string()
                .regex(/^\d+[smhd]$/)
                .optional(),
              labels,
              annotations: labels,
            }),
          ),
        }),
      ),
    }),
  }),
] as const;

export const KubernetesManifest = z.discriminatedUnion('kind', kinds);
export type KubernetesManifest = z.infer<typeof KubernetesManifest>;
export type Kind = KubernetesManifest['kind'];
export type OfKind<K extends Kind> = Extract<KubernetesManifest, { kind: K }>;
export type PodTemplate = z.infer<typeof podTemplate>;
