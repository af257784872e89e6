/**
 * Whether each word of a search occurs in one of the texts; case does not count. For what the API
 * cannot search.
 */
export const hasWords = (search: string): ((texts: readonly (string | null)[]) => boolean) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (texts) => {
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
};
