import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import { apiOf, passageTo } from '../../session/requests.ts';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Show, Trouble } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import type { Sandbox } from './list.tsx';

const STEPS = [
  ['PT15M', '15 minutes'],
  ['PT1H', '1 hour'],
  ['PT24H', '1 day'],
] as const;

const LOOK_MS = 5_000;

/** The sandbox's own time, which only moves forward: everything due in between happens. */
export const SandboxClock = ({ of }: { readonly of: Sandbox }): JSX.Element => {
  const { session, say } = usePortal();
  const passage = passageTo(of);
  const api = useMemo(() => apiOf(session, passage), [session, passage]);
  const clock = useLoaded(
    async (signal) => (await api.GET('/api/v1/clock', { signal })).data,
    [api],
  );
  const useStep = (advance: string, name: string) =>
    useSubmission(async (keyOf) => {
      try {
        const idempotencyKey = keyOf();
        await api.clock.advance(advance, { idempotencyKey, onProgress: clock.set });
        say(`The sandbox’s clock was moved forward by ${name}.`);
      } finally {
        // The clock has also moved where only the answer was lost.
        clock.reload();
      }
    });
  const steps = STEPS.map(([advance, name]) => ({ name, step: useStep(advance, name) }));
  const isUnderWay = clock.data?.state === 'advancing';
  const isBusy = isUnderWay || steps.some(({ step }) => step.isBusy);
  // Another page may have advanced the clock.
  useEvery(isUnderWay ? LOOK_MS : null, clock.poll);
  return (
    <Card title="Clock">
      <Show of={clock}>
        {({ now, target }) => (
          <div class="stack">
            <p>
              It is{' '}
              <strong>
                <At at={now} />
              </strong>{' '}
              in this sandbox. When you move the clock forward, all SLA clocks, retries and expiries
              in between happen at once, in order.
            </p>
            {target && (
              <p>
                Advancing to <At at={target} />.
              </p>
            )}
            <div class="row">
              {steps.map(({ name, step }) => (
                <Button key={name} icon="clock" onPress={step.submit} isDisabled={isBusy}>
                  {`+ ${name}`}
                </Button>
              ))}
            </div>
            <Trouble error={steps.find(({ step }) => step.error)?.step.error} />
          </div>
        )}
      </Show>
    </Card>
  );
};
