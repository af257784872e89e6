/** `meeting-room` becomes `Meeting room`. */
export const typeNameOf = (slug: string): string => {
  const words = slug.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
