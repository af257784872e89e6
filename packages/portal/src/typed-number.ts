/** A number as it is typed, with a comma or a point; `null`: it is none yet. */
export const numberIn = (text: string): number | null => {
  const number = Number(text.replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
};
