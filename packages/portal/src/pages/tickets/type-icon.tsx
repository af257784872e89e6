/** The icons of request types: a bounded set of names, drawn on a grid of 24. */
import type { JSX } from 'preact';
import type { RequestType } from './answers.ts';

const paths = {
  form: 'M6 2h9l4 4v16H5V3zM9 11h6M9 15h6M9 19h4M14 3v4h4',
  water: 'M12 3c4 5 6 7.6 6 11a6 6 0 0 1-12 0c0-3.4 2-6 6-11zM9.5 15a2.6 2.6 0 0 0 2.5 2.5',
  heat: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-5 1-9z',
  cold: 'M12 2v20M4 7l16 10M20 7L4 17M9 4l3 2 3-2M9 20l3-2 3 2',
  air: 'M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h6',
  light: 'M9 17a6 6 0 1 1 6 0v2H9zM10 22h4M9 19h6',
  power: 'M13 2L5 13h6l-1 9 9-12h-6z',
  lock: 'M6 11h12v10H6zM9 11V7a3 3 0 0 1 6 0v4M12 15v2',
  key: 'M15 9a5 5 0 1 0-5 5l1 0v3h3v3h4v-4l-3.5-3.5A5 5 0 0 0 15 9zM9 8v.01',
  door: 'M6 21V3h12v18M3 21h18M14 12v1',
  lift: 'M5 3h14v18H5zM12 3v18M8 13l0-4M7 10l1-1 1 1M16 9v4M15 12l1 1 1-1',
  cleaning: 'M14 3l-4 9M7 12h7l2 9H4zM8 16v5M12 16v5',
  waste: 'M5 7h14M10 7V4h4v3M7 7l1 14h8l1-14M10 11v6M14 11v6',
  furniture: 'M6 3v10h12V3M6 13v8M18 13v8M6 17h12M6 8h12',
  computer: 'M3 4h18v12H3zM8 21h8M12 16v5',
  network: 'M3 9a14 14 0 0 1 18 0M6 13a9 9 0 0 1 12 0M9 16.5a4.5 4.5 0 0 1 6 0M12 20v.01',
  sound: 'M4 10h4l5-4v12l-5-4H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  safety: 'M12 2l8 3v7c0 5-3.5 8-8 10-4.5-2-8-5-8-10V5zM12 8v5M12 16v.01',
  move: 'M2 6h12v10H2zM14 10h4l4 4v2h-8M8 16a2 2 0 1 0-4 0M19 16a2 2 0 1 0-4 0',
  garden: 'M12 21v-9M12 12c0-5 3-8 8-8 0 5-3 8-8 8zM12 15c0-4-3-6-7-6 0 4 3 6 7 6z',
} as const;

type TypeIconName = keyof typeof paths;

export const typeIconNames = Object.keys(paths) as readonly TypeIconName[];

const DEFAULT: TypeIconName = 'form';

const isName = (name: string): name is TypeIconName => Object.hasOwn(paths, name);

/** Falls back to the icon of a form if the name is absent or unknown. */
export const TypeIcon = ({ name = '' }: { readonly name?: string | undefined }): JSX.Element => (
  <svg
    class="icon type-icon"
    viewBox="0 0 24 24"
    aria-hidden="true"
    focusable="false"
    data-icon={isName(name) ? name : DEFAULT}
  >
    <path d={paths[isName(name) ? name : DEFAULT]} />
  </svg>
);

/** The icon and the name of a request type; without an entry, the type as the ticket has it. */
export const TypeName = ({
  of,
  slug,
}: {
  readonly of: RequestType | undefined;
  readonly slug: string;
}): JSX.Element =>
  of ? (
    <span class="type-name">
      <TypeIcon name={of.icon} /> {of.name}
    </span>
  ) : (
    <>{slug}</>
  );
