/**
 * Renders what ops/kubernetes uses of kustomize, and refuses the rest: so the manifests are checked
 * where neither kubectl nor a network is. Unlike kustomize it adds no hash to names of config maps.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { text } from '../sources.ts';

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [k: string]: Json };
type JsonObject = { readonly [k: string]: Json };

export interface Manifest extends JsonObject {
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string };
}

const Kustomization = z.strictObject({
  apiVersion: z.enum(['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1']),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  configMapGenerator: z
    .array(z.strictObject({ name: z.string(), literals: z.array(z.string()) }))
    .default([]),
  patches: z
    .array(
      z.strictObject({
        path: z.string().optional(),
        patch: z.string().optional(),
        target: z.strictObject({ kind: z.string(), name: z.string().optional() }).optional(),
      }),
    )
    .default([]),
  // By digest alone: a tag may be moved.
  images: z
    .array(
      z.strictObject({
        name: z.string(),
        newName: z.string(),
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      }),
    )
    .default([]),
});

/** @param directory From the root of the repository. @throws For what kustomize would refuse. */
export const render = (directory: string): readonly Manifest[] => built(directory, []);

const FILE = 'kustomization.yaml';

const built = (directory: string, before: readonly Manifest[]): readonly Manifest[] => {
  const of = Kustomization.parse(parse(text(join(directory, FILE))));
  let manifests = [
    ...before,
    ...of.resources.flatMap((name) => resourcesIn(join(directory, name))),
    ...of.configMapGenerator.map(configMap),
  ];
  for (const name of of.components) manifests = [...built(join(directory, name), manifests)];
  refuseDuplicates(manifests, directory);
  for (const { path, patch, target } of of.patches) {
    const change = parse(patch ?? text(join(directory, path!))) as Manifest;
    const isMeant = (it: Manifest) =>
      target === undefined
        ? it.kind === change.kind && it.metadata.name === change.metadata.name
        : it.kind === target.kind &&
          new RegExp(`^(${target.name ?? '.*'})$`).test(it.metadata.name);
    if (!manifests.some(isMeant) && target === undefined)
      throw new Error(`${directory}: nothing to patch: ${change.kind} ${change.metadata.name}`);
    const { spec = {} } = change;
    manifests = manifests.map((it) => (isMeant(it) ? (merged(it, { spec }) as Manifest) : it));
  }
  const { namespace } = of;
  if (namespace !== undefined) manifests = manifests.map((it) => inNamespace(it, namespace));
  for (const image of of.images) {
    const named = (value: Json): Json => (value === image.name ? byDigest(image) : value);
    manifests = manifests.map((it) => mapped(it, 'image', named) as Manifest);
  }
  return manifests;
};

const resourcesIn = (path: string): readonly Manifest[] =>
  existsSync(join(import.meta.dirname, '../../..', path, FILE))
    ? built(path, [])
    : parseAllDocuments(text(path)).map((document) => {
        if (document.errors.length > 0) throw document.errors[0]!;
        return document.toJS() as Manifest;
      });

const configMap = ({
  name,
  literals,
}: {
  name: string;
  literals: readonly string[];
}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(
    literals.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]),
  ),
});

const refuseDuplicates = (manifests: readonly Manifest[], directory: string): void => {
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${directory}: twice: ${twice}`);
};

const inNamespace = (manifest: Manifest, namespace: string): Manifest =>
  manifest.kind === 'Namespace'
    ? manifest
    : { ...manifest, metadata: { ...manifest.metadata, namespace } };

const byDigest = ({ newName, digest }: { newName: string; digest: string }) =>
  `${newName}@${digest}`;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameIn = (value: Json): Json | undefined => (isObject(value) ? value['name'] : undefined);

/** A strategic merge: objects by member, lists of named items by name, other lists as a whole. */
const merged = (value: Json | undefined, change: Json): Json => {
  if (Array.isArray(change)) {
    const list = change as readonly Json[];
    const old = Array.isArray(value) ? (value as readonly Json[]) : [];
    if (list.some((item) => nameIn(item) === undefined)) return list;
    const names = list.map(nameIn);
    return [
      ...list.map((item) =>
        merged(
          old.find((it) => nameIn(it) === nameIn(item)),
          item,
        ),
      ),
      ...old.filter((item) => !names.includes(nameIn(item))),
    ];
  }
  if (!isObject(change)) return change;
  const of: Record<string, Json> = { ...(isObject(value) ? value : {}) };
  for (const [key, part] of Object.entries(change)) {
    if (part === null) delete of[key];
    else of[key] = merged(of[key], part);
  }
  return of;
};

const mapped = (value: Json, key: string, change: (value: Json) => Json): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => mapped(it, key, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === key ? change(part) : mapped(part, key, change),
    ]),
  );
};
