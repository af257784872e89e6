/** «a storey», «an element». */
export const withArticle = (noun: string): string =>
  `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
