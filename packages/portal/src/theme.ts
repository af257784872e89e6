/** The theme, light or dark: that of the system until the person chooses one. */

const CHOICE = 'atrium.theme';

type Theme = 'light' | 'dark';

const chosen = (): Theme | null => {
  const kept = localStorage.getItem(CHOICE);
  return kept === 'light' || kept === 'dark' ? kept : null;
};

export const currentTheme = (): Theme =>
  chosen() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

export const applyTheme = (): void => {
  const theme = chosen();
  if (theme !== null) document.documentElement.dataset['theme'] = theme;
};

export const switchTheme = (): void => {
  localStorage.setItem(CHOICE, currentTheme() === 'dark' ? 'light' : 'dark');
  applyTheme();
};
