/** The values that occurred before, each with the index of the repetition. */
export const repeatsIn = (
  values: readonly string[],
): readonly { readonly value: string; readonly index: number }[] => {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (seen.has(value)) return [{ value, index }];
    seen.add(value);
    return [];
  });
};
