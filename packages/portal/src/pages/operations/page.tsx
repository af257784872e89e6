import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { PageHead, Tabs } from '../../ui/content.tsx';
import { Processes } from './processes.tsx';
import { Projections } from './projections.tsx';

/** The health of the platform: projections and processes, their lag, and parked streams. */
export const OperationsPage = (): JSX.Element => {
  const {
    path: [, part],
  } = useRoute();
  const isProcesses = part === 'processes';
  return (
    <>
      <PageHead
        title="Operations"
        lead={
          'Read models and processes that follow the log: their progress and their ' +
          'parked streams.'
        }
      />
      <Tabs
        label="Parts of operations"
        tabs={[
          { name: 'Projections', href: '#/operations', isOn: !isProcesses },
          { name: 'Processes', href: '#/operations/processes', isOn: isProcesses },
        ]}
      />
      {isProcesses ? <Processes /> : <Projections />}
    </>
  );
};
