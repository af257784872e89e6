type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a page that is opened here would be seen by who sits at the terminal. */
export const browserIsHere = (env: Environment): boolean => {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI']) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME']);
};

/** @returns whether a browser was opened; if not, the caller prints the address. */
export const openInBrowser = async (url: string): Promise<boolean> => {
  const { default: open } = await import('open');
  try {
    return (await open(url)).pid !== undefined;
  } catch {
    // What opens pages is missing.
    return false;
  }
};
