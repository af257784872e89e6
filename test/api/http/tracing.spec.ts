import { tracingContract } from '../../contract/tracing.contract.ts';

tracingContract('over the embedded log', () => ({}));
