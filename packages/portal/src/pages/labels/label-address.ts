/** The address in a QR label, which outlives the ids of a renewed import. docs/decisions/0099. */

export interface LabelledPlace {
  readonly kind: 'space' | 'element';
  readonly id: string;
  readonly code: string;
}

/** Characters of a code that is in the address: each makes the squares of the QR code smaller. */
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

/** What the label of an address names; `null` where it names no place. */
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
