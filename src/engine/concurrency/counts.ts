/** Increments a count by name; the result decrements it. A count of zero takes no memory. */
export const increment = (counts: Map<string, number>, name: string): (() => void) => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return () => {
    const left = (counts.get(name) ?? 1) - 1;
    if (left === 0) counts.delete(name);
    else counts.set(name, left);
  };
};
