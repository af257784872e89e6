/** Text for HTML or SVG: between tags, and in quoted attributes. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
