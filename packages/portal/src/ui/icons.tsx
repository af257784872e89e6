/** The icons of the portal, drawn on a grid of 24. */
import type { JSX } from 'preact';

const paths = {
  tickets: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM14 6v12',
  desk: 'M5 4v16M12 4v16M19 4v16M3 9h4M10 15h4M17 8h4',
  reports: 'M4 20V4M4 20h16M8 16v-5M12 16V7M16 16v-3',
  buildings: 'M4 21V5l8-3v19M12 9l8 3v9M2 21h20M8 8v.01M8 12v.01M8 16v.01M16 15v.01M16 18v.01',
  plan: 'M3 3h18v18H3zM3 12h7v9M10 12V9M10 3v2M15 21v-7h6',
  live: 'M3 12h4l3-8 4 16 3-8h4',
  sandboxes: 'M12 2l9 5v10l-9 5-9-5V7zM3 7l9 5 9-5M12 12v10',
  webhooks: 'M9 8a3 3 0 1 1 4 3l-3 6M6 13a4 4 0 1 0 4 5h6M15 9l3 5a4 4 0 1 1-3 7',
  keys: 'M15 9a5 5 0 1 0-5 5l1 0v3h3v3h4v-4l-3.5-3.5A5 5 0 0 0 15 9zM9 8v.01',
  erasures: 'M8 20l-5-5 11-11 7 7-9 9H8zM9 9l7 7M8 20h13',
  audit: 'M6 2h9l4 4v16H5V3zM9 12h6M9 16h6M9 8h3',
  operations: 'M4 13a8 8 0 1 1 16 0M12 13l4-4M3 19h18',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12l5 5L20 7',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  warning: 'M12 3l10 18H2zM12 10v5M12 18v.01',
  reload: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  download: 'M12 3v12M7 10l5 5 5-5M4 21h16',
  upload: 'M12 15V3M7 8l5-5 5 5M4 21h16',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 4l13 8-13 8z',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  label: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v6h-6v-2M17 17v.01',
  camera: 'M4 7h4l2-3h4l2 3h4v13H4zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  file: 'M6 2h8l4 4v16H6zM14 2v4h4',
  picture: 'M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 5M15 9v.01',
  before: 'M15 5l-7 7 7 7',
  after: 'M9 5l7 7-7 7',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
