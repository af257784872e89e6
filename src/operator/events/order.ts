/** Checks that the log has the events of a file in the file's order. */
import { contentsOf } from './contents.ts';
import { OrderDigest } from './order-digest.ts';
import type { Plan } from './plan.ts';
import { OperatorError } from '../operator-error.ts';

/**
 * @throws {@link OperatorError} unless the file's events in the log are a prefix of the file, in
 *   its order.
 */
export const checkOrder = async (plan: Plan): Promise<void> => {
  const { foundOrder, expectedOrder } = plan;
  if (foundOrder.count === 0) return;
  if (foundOrder.count === expectedOrder.count) {
    if (!foundOrder.equals(expectedOrder)) throw new OperatorError(IN_ANOTHER_ORDER);
    return;
  }
  const beginning = new OrderDigest();
  await contentsOf(plan.path, {
    eventsMax: foundOrder.count,
    onEvent: ({ stream, revision }) => beginning.add(stream, revision),
  });
  if (!foundOrder.equals(beginning)) throw new OperatorError(IN_ANOTHER_ORDER);
};

/** The remedy: a log is append-only, so the order in it cannot be repaired. */
export const ORDER_LOST =
  'import the file into an empty log again, or add --fast if the order of different streams ' +
  'does not matter';

const IN_ANOTHER_ORDER =
  'the log holds events of the file that are not its beginning, or in another order, ' +
  `as after --fast: ${ORDER_LOST}`;
