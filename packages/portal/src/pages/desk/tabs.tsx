import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { tabInView } from '../../ui/current-tab.ts';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The tabs of one form: input in one stays while another is shown. */
export const TabPanels = <Name extends string>({
  label,
  tabs,
  chosen,
  onChosen,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChosen: (name: Name) => void;
  /** The panel of the chosen tab. */
  readonly children: ComponentChildren;
}): JSX.Element => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ name }) => name === chosen);
  const step = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(at, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    onChosen(tabs[to]!.name);
  };
  // The focus follows the choice, which a question may precede.
  useLayoutEffect(() => {
    const shown = list.current!;
    if (shown.contains(document.activeElement)) shown.querySelectorAll('button')[at]?.focus();
  }, [at]);
  return (
    <>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {tabs.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            ref={name === chosen ? tabInView : null}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChosen(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
};
