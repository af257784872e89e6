/**
 * The address in a QR label, which stays valid when an import renews the ids. docs/decisions/0099.
 */

export interface LabelledPlace {
  readonly kind: 'space' | 'element';
  readonly id: string;
  readonly code: string;
}

/** Characters of the code in the address: each makes the squares of the QR code smaller. */
const CODE_MAX = 24;

/** @param origin Of the portal: `https://atrium.example.com`. */
export const labelAddress = (
  origin: string,
  buildingId: string,
  { kind, id, code }: LabelledPlace,
): string => {
  const query = new URLSearchParams({ building: buildingId, [kind]: id });
  if (code.length <= CODE_MAX) query.set('code', code);
  return `${origin}/report?${query}`;
};

/** The place that the address of a label names; `null` if it names none. */
export const placeIn = (
  query: URLSearchParams,
):
  | (Omit<LabelledPlace, 'code'> & { readonly buildingId: string; readonly code: string | null })
  | null => {
  const buildingId = query.get('building');
  const code = query.get('code');
  for (const kind of ['element', 'space'] as const) {
    const id = query.get(kind);
    if (buildingId && id) return { buildingId, kind, id, code };
  }
  return null;
};
