import { describe } from 'vitest';
import { upgrade } from '../contract/upgrade/upgrade.contract.ts';

describe('on the embedded log', () => {
  upgrade(async () => ({ hasSamePositions: true }));
});
