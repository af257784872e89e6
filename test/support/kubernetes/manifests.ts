/** The rendered manifests of ops/kubernetes. */
import { z } from 'zod';
import { render } from './kustomize.ts';
import { KubernetesManifest, type Kind, type OfKind, type PodTemplate } from './schemas.ts';

/** The directories for `kubectl apply -k` in the documentation. */
export const overlays = {
  example: 'ops/kubernetes/overlays/example',
  prepare: 'ops/kubernetes/overlays/example/prepare',
} as const;

/** @throws With the member that does not fit its kind. */
export const manifestsOf = (directory: string): readonly KubernetesManifest[] =>
  render(directory).map((manifest) => {
    const { data, error } = KubernetesManifest.safeParse(manifest);
    if (data) return data;
    throw new Error(`${manifest.kind} ${manifest.metadata.name}: ${z.prettifyError(error)}`);
  });

export const ofKind = <K extends Kind>(
  manifests: readonly KubernetesManifest[],
  kind: K,
): readonly OfKind<K>[] => manifests.filter((it): it is OfKind<K> => it.kind === kind);

export interface Pod extends PodTemplate {
  /** Of its deployment or job. */
  readonly name: string;
}

/** The pods that deployments and jobs start. */
export const podsOf = (manifests: readonly KubernetesManifest[]): readonly Pod[] =>
  [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')].map(({ metadata, spec }) => ({
    name: metadata.name,
    ...spec.template,
  }));

/** Whether a selector matches the labels of a pod. */
export const selects = (
  { matchLabels, matchExpressions = [] }: OfKind<'NetworkPolicy'>['spec']['podSelector'],
  { metadata: { labels } }: Pod,
): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(
    ({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'),
  );
