/** Content negotiation of the encoding. RFC 9110 section 12.5.3. */

/** The supported encodings, the cheapest first. */
const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

/**
 * The supported encoding that the caller prefers, the cheaper of equals; `null` for no encoding,
 * if none is accepted or none is preferred to identity.
 *
 * @param accepted `Accept-Encoding` as sent. A malformed one accepts nothing.
 */
export const codingFor = (accepted: string | undefined): Coding | null => {
  if (accepted === undefined) return null;
  const weights = weightsIn(accepted.toLowerCase());
  const asItIs = weights.get('identity') ?? 0;
  let best: Coding | null = null;
  let most = 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight <= most || weight < asItIs) continue;
    best = coding;
    most = weight;
  }
  return best;
};

const weightsIn = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
      return [aliases[name] ?? name, weightOf(parameters)];
    }),
  );

/** RFC 9110 section 8.4.1.3. */
const aliases: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

const weightOf = (parameters: readonly string[]): number => {
  const [weight = 'q=1', ...others] = parameters;
  const isWeight = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) && others.length === 0;
  return isWeight ? Number(weight.slice(2)) : 0;
};
