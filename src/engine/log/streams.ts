/** `ticket-5f0c…` is `<category>-<key>`: the category ends at the first hyphen. */
export const streamOf = (category: string, key: string): string => `${category}-${key}`;

export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

/** What follows the first hyphen; a key may hold more of them. Empty where there is none. */
export const keyOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? '' : stream.slice(end + 1);
};
