import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../session/requests.ts';
import { Button } from './controls.tsx';
import { currentTab } from './current-tab.ts';

export type Tone = 'neutral' | 'good' | 'busy' | 'warn' | 'bad' | 'accent';

export const Badge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}): JSX.Element => <span class={`badge ${tone}`}>{children}</span>;

/** The title of the window. The last part of a page that has one counts. */
export const useTitle = (title: string | undefined): void =>
  // After each render: a change of the address resets it to the name of the page.
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Atrium`;
  });

/** The header of a page: its title and its actions. */
export const PageHead = ({
  title,
  lead,
  above,
  children,
  pageTitle = typeof title === 'string' ? title : undefined,
}: {
  readonly title: ComponentChildren;
  /** The title of the window. Default: `title` if it is a text, else the name of the page. */
  readonly pageTitle?: string | undefined;
  readonly lead?: ComponentChildren;
  /** The link back. */
  readonly above?: readonly [href: string, name: string];
  readonly children?: ComponentChildren;
}): JSX.Element => {
  useTitle(pageTitle);
  return (
    <header class="page-head">
      <div>
        {above && (
          <a class="above" href={above[0]}>
            ← {above[1]}
          </a>
        )}
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
};

export const Card = ({
  title,
  actions,
  children,
}: {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <section class="card">
    {(title || actions) && (
      <header class="card-head">
        <h2>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </header>
    )}
    {children}
  </section>
);

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Hides the column's header visually: for buttons. */
  readonly isNameHidden?: boolean;
  readonly isNumber?: boolean;
}

/** On a phone each row is a block, and each cell has a label. */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}): JSX.Element => (
  <div class="table-box">
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, isNameHidden, isNumber }) => (
            <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
              {isNameHidden ? <span class="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell, isNumber, isNameHidden }) => (
              <td
                key={name}
                data-name={isNameHidden ? '' : name}
                class={isNumber ? 'number' : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Names and values. */
export const Facts = ({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? <span class="faint">–</span>}</dd>
      </div>
    ))}
  </dl>
);

export const Pager = ({
  page,
  limit,
  total,
  isCapped = false,
  onPage,
}: {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly isCapped?: boolean;
  readonly onPage: (page: number) => void;
}): JSX.Element | null => {
  if (total === 0) return null;
  const first = (page - 1) * limit + 1;
  const last = Math.min(total, page * limit);
  return (
    <nav class="pager" aria-label="Pages">
      <p role="status">
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {total.toLocaleString('en')}
        {isCapped && ' and more'}
      </p>
      <div class="row">
        <Button isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button isDisabled={last >= total && !isCapped} onPress={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
};

/** The pager of a list with cursors, newest first. */
export const CursorPager = ({
  cursors,
  next,
  onCursors,
}: {
  /** The cursors of the pages up to this one; the first page has none. */
  readonly cursors: readonly string[];
  /** The cursor of the next page; `null` on the last. */
  readonly next: string | null;
  readonly onCursors: (cursors: readonly string[]) => void;
}): JSX.Element => {
  const turnTo = (page: readonly string[]) => {
    scrollTo(0, 0);
    onCursors(page);
  };
  return (
    <nav class="pager" aria-label="Pages">
      <Button isDisabled={cursors.length === 0} onPress={() => turnTo(cursors.slice(0, -1))}>
        Newer
      </Button>
      <Button
        isDisabled={next === null}
        onPress={() => next !== null && turnTo([...cursors, next])}
      >
        Older
      </Button>
    </nav>
  );
};

/** Links to the parts of one page. */
export const Tabs = ({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly {
    readonly name: string;
    readonly href: string;
    readonly isOn: boolean;
  }[];
}): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, href, isOn }) => (
      <a key={name} href={href} {...(isOn && currentTab)}>
        {name}
      </a>
    ))}
  </nav>
);

type Actor = Schemas['Actor'];

export const actorName = (actor: Actor | null): string => {
  if (actor === null) return 'nobody';
  if (actor.erased) return 'Erased person';
  return actor.kind === 'system' ? 'Atrium' : (actor.name ?? actor.id);
};

/** Text written by a user; faint if it was erased. */
export const Written = ({ text }: { readonly text: string }): JSX.Element => (
  <p class={text === ERASED_TEXT ? 'written faint' : 'written'}>{plainText(text)}</p>
);

/** A text of the API for display. */
export const plainText = (text: string): string => (text === ERASED_TEXT ? 'Text erased' : text);

/** The API's placeholder for the text of an erased person. */
const ERASED_TEXT = '(erased)';

export const Actor = ({ of }: { readonly of: Actor | null }): JSX.Element => (
  <span title={of === null || of.erased ? undefined : `${of.kind} ${of.id}`}>{actorName(of)}</span>
);
