/** The members that have a value: what was not said has a default at the server. */
export const given = <Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

/** The header of a command that may be repeated. */
export const underKey = (
  key: string | undefined,
): { readonly headers?: { readonly 'Idempotency-Key': string } } =>
  key === undefined ? {} : { headers: { 'Idempotency-Key': key } };
