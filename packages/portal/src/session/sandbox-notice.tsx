import type { JSX } from 'preact';
import { Icon } from '../ui/icons.tsx';
import { Ago } from '../ui/times.tsx';
import type { OwnSandbox } from './me.ts';

/** Above every page of a sandbox, at any scroll position. */
export const SandboxNotice = ({ of }: { readonly of: OwnSandbox }): JSX.Element => (
  <section class="sandbox-notice" aria-label="This is a sandbox">
    <Icon name="sandboxes" />
    <p>
      <strong>
        Sandbox <span title={of.name}>{of.name}</span>
      </strong>
      <span class="sandbox-facts">
        deleted <Ago at={of.expiresAt} now={Date.now()} />, created by{' '}
        {of.owner.name ?? of.owner.id}
      </span>
    </p>
    <a href={of.pageUrl}>Main portal</a>
  </section>
);
