/**
 * The `maxlength` of a field with this text. Browsers count UTF-16 units, the server counts
 * characters, of which an emoji is one of two units. A text at its limit cannot grow, and one above
 * it, as after a paste, is invalid until it is shortened.
 */
export const unitsAllowed = (text: string, charactersMax: number): number => {
  const characters = Array.from(text).length;
  const left = charactersMax - characters;
  return left < 0 ? charactersMax + text.length - characters : text.length + 2 * left;
};
