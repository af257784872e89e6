/** Content negotiation of the media type. RFC 9110, section 12.5.1. */

/**
 * The form that the caller prefers, the first named of equals; `null` if none is accepted.
 *
 * @param accepted `Accept` as sent.
 * @param formOf The form of a range such as `text/csv` or `text/*`; `null`: none.
 */
export const preferredForm = <Form>(
  accepted: string | undefined,
  formOf: (range: string) => Form | null,
): Form | null => {
  let best: { readonly form: Form; readonly quality: number } | null = null;
  for (const range of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const form = formOf(name);
    const quality = qualityOf(parameters);
    if (form !== null && quality > (best?.quality ?? 0)) best = { form, quality };
  }
  return best?.form ?? null;
};

const qualityOf = (parameters: readonly string[]): number => {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return Number.isFinite(quality) ? quality : 0;
};
